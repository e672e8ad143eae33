"""Shapes: how many axes there are, how long they are, and between which numbers values lie."""
