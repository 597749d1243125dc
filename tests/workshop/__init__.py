"""Tests of workshop."""
