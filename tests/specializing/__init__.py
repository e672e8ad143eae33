"""Derivatives for arguments like some examples."""
