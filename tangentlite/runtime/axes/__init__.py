"""Along an axis: reductions, scans, order statistics, differences, transforms and convolutions."""
