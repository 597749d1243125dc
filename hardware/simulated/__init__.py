"""Devices that stand in for the real ones, for play without a board and for tests."""
