"""The firmware of the hubs, the microcontrollers that read tags: MicroPython for the Raspberry Pi Pico."""
