"""What a viewer is shown: the only code that hides or reveals."""

from fairbones.core.views.view import view

__all__ = ["view"]
