"""Ways through a function: exits, ``try``, ``with``, ``match``, names that may have no value."""
