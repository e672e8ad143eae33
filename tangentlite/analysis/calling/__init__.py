"""Calls: what is called, what it does, and which functions are values."""
