"""Programs that make what is kept in the project: pictures for the documentation."""
