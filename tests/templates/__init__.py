"""Calls of the library as a user spells them, each taken through the whole compiler."""
