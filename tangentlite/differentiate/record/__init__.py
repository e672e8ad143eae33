"""What the backward sweep reads of the forward sweep: kept by name, on a tape, or made again."""
