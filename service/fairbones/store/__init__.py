"""Where matches are kept: the data folder and the embedded database in it."""
