"""Tests of the acceptance of a new board, on the simulated one."""
