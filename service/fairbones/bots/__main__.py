"""`python -m fairbones.bots --url URL --match ID`: fill a match with players and play it out."""

from __future__ import annotations

import sys

from fairbones.bots.party import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
