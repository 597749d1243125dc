"""What tests share: positions, whole games, an independent reading of the rules, and rigs of real parts."""
