"""Special functions: those whose derivatives need series, integrals or recursions of their own."""
