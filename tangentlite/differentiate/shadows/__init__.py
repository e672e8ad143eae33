"""Adjoints that lie in memory as their values do: arrays that are filled, lists and dicts that change."""
