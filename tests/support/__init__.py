"""What tests share: positions, whole games, an independent implementation of the rules, and rigs of real parts."""
