"""What stores overwrite: kept before, and put back where the backward sweep reads it."""
