"""``python -m tangentlite``: the command line.

In: the arguments of the process.
Out: the exit code.
Next: nothing.
"""

from __future__ import annotations

import sys

from tangentlite.cli import main

if __name__ == "__main__":
    sys.exit(main())
