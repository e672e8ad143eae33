"""Lists of numbers that functions make."""
