"""Tests of firmware."""
