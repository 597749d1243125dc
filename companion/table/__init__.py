"""The table: the one writer of the game, and all that serves it."""
