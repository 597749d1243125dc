"""Draws a board from its definition: wiring, pins, and the parts it needs."""
