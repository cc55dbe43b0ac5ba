"""A house that tells one lie, over HTTP, and who catches it when."""
