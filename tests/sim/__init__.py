"""Whole games on the simulated board."""
