"""The board: what it is made of, the devices that drive it, and a simulated one made of the same parts."""
