"""Tests of the pages in a real browser: Chromium, under a name that is not the machine's own, by touch and keys."""
