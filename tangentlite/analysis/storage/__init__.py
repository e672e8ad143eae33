"""Memory: who shares it, who writes it, and what is seen of that through other names."""
