"""The SQLite file of a table: games with their journals and notes, and the enrolled tags."""
