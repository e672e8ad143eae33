"""The edges of a derivative: what is asked of its arguments, how seeds and tangents come in and gradients go out."""
