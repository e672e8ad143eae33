"""Facts about generated statements: what they read, write, share and cost."""
