"""`make lab`: the table on a booted arm64 system, from its card to power cuts and updates."""
