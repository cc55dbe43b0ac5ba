"""`python -m fairbones.cli`."""

from fairbones.cli import main

main(prog_name="fairbones")
