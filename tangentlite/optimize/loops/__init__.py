"""Loops done at once, or with less to do in a trip."""
