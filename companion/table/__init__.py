"""The table: the only writer of the game, and everything that serves it."""
