"""The tests: a file a module, and whole games in `sim`."""
