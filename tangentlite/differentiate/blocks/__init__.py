"""Blocks with a meaning of their own: ``try`` and ``with``, what runs again, what the user has inserted."""
