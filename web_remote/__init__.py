"""The web pages of the table: phones, the table screen, the virtual board; and the server they come from."""
