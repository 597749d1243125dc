"""Tests of the network service."""
