"""The web pages of the table (phones, table screen, virtual board, workshop) and the server behind them."""
