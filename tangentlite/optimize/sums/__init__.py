"""Sums into adjoints: no zeros that get added, one addition for each place, in place where that is allowed."""
