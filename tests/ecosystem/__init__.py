"""Derivatives among other tools: optimizers, debuggers, profilers, and the libraries that people come from."""
