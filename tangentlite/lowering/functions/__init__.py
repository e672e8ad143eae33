"""Functions inside functions: what they capture, and how they are called."""
