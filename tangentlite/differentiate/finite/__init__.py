"""Factors of zero and infinity: local derivatives that need a guard, and those that need none."""
