"""Drivers for parts that a builder may choose: strips of lights, and the chips of tag readers."""
