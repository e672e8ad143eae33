"""Memory: what is written in place, kept and put back; arrays for adjoints, which share memory as values do."""
