"""What pytest leaves alone here: the settings of the site, and pages that show other tools. These pages are run by
tests/ecosystem, section by section, as far as the tools are installed."""

SITE = ["conf.py", "_ext"]
TOOLS = ["distributed.md", "ecosystem.md"]
RUN_ELSEWHERE = [*TOOLS, "from-autograd.md", "from-jax.md", "from-tangent.md"]
COURSE = ["course/exercises", "course/solutions"]
collect_ignore = [*SITE, *RUN_ELSEWHERE, *COURSE]
