"""Pages that show other tools are run by tests/ecosystem, section by section, as far as these are installed."""

collect_ignore = ["ecosystem.md", "from-autograd.md", "from-jax.md", "from-tangent.md"]
