"""Re-derives and checks Fairbones deals without sharing code with the service."""

__version__ = "0.1.0"

from .judge import verify
from .report import Failure, Report

__all__ = ["Failure", "Report", "verify"]
