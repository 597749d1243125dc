"""Tests of web_remote."""
