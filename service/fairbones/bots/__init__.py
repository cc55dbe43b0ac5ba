"""Players that trust nobody: ordinary clients of the API that do what SPEC 10 asks of a client."""
