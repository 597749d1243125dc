"""The El Grande table: rules, bots, and the software of a board that knows the game."""
