"""Lists, dicts and their methods in plain words."""
