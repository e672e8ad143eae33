"""Plain functions that long derivatives are made of: a second derivative reads them like helpers of the user."""
