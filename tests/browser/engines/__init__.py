"""The pages in engines other than Chromium's: Firefox's, and WebKit, which every browser on an iPhone uses."""
