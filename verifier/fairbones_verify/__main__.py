"""`python3 -m fairbones_verify FILE`, or `python3 -I -S path/to/fairbones_verify FILE`.

It is the entry of fairbones-verify.pyz too, where it stands beside the package.
"""

import os
import sys

if sys.version_info < (3, 9):  # noqa: UP036 - whoever has an older one should be told so
    sys.stderr.write("fairbones-verify needs Python 3.9 or later\n")
    sys.exit(3)

if not __package__:
    # Run as a directory: Python then searches in it, but our package lies one above.
    here = os.path.dirname(os.path.abspath(__file__))
    if os.path.isfile(os.path.join(here, "cli.py")):
        sys.path[0] = os.path.dirname(here)

from fairbones_verify.cli import main

if __name__ == "__main__":
    sys.exit(main())
