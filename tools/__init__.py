"""Programs that generate files kept in the project: translation catalogues, and pictures for the documentation."""
