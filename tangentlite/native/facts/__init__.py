"""Facts about kernels: how many axes, how long, which may share memory."""
