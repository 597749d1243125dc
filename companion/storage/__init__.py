"""The one SQLite file of a table: the games with their journals, notes, and the enrolled tags."""
