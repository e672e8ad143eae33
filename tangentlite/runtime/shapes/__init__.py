"""Shapes and places: from a result's shape back to an operand's, and where each element came from."""
