"""What is no page and no program: the settings of the site."""

collect_ignore = ["conf.py", "_ext"]
