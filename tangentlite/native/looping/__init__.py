"""Statements on whole arrays as loops over their elements, joined, turned and held in registers."""
