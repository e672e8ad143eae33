"""The documentation: its blocks run, its links lead somewhere, its pictures are current, its site asks for nothing."""
