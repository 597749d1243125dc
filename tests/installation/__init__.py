"""Tests of `companion/installation`, and of the tool that makes releases."""
