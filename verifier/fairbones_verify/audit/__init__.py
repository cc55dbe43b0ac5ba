"""`audit`: every match of a folder or of a service, verified and counted (spec/audit.md)."""
