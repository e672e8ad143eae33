"""Spelling: the statements that a person would have written for the same."""
