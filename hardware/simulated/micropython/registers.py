"""The numbers of the MFRC522: registers, reset values, bits and times, as in its data sheet."""

import binascii

# Registers that do more than keep what is written.
COMMAND, COM_I_EN, DIV_I_EN, COM_IRQ, DIV_IRQ, ERROR, STATUS_1, STATUS_2 = 1, 2, 3, 4, 5, 6, 7, 8
FIFO_DATA, FIFO_LEVEL, WATER_LEVEL, CONTROL, BIT_FRAMING, COLL = 9, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E
MODE, TX_MODE, RX_MODE, TX_CONTROL, TX_ASK, DEMOD, MF_RX = 0x11, 0x12, 0x13, 0x14, 0x15, 0x19, 0x1D
CRC_RESULT_H, CRC_RESULT_L, MOD_WIDTH = 0x21, 0x22, 0x24
T_MODE, T_PRESCALER, T_RELOAD_H, T_RELOAD_L, T_COUNTER_H, T_COUNTER_L = 0x2A, 0x2B, 0x2C, 0x2D, 0x2E, 0x2F
AUTO_TEST, VERSION = 0x36, 0x37

RESET = {
    COM_I_EN: 0x80, COM_IRQ: 0x14, WATER_LEVEL: 0x08, CONTROL: 0x10, COLL: 0xA0, MODE: 0x3F, TX_CONTROL: 0x80,
    0x16: 0x10, 0x17: 0x84, 0x18: 0x84, DEMOD: 0x4D, 0x1C: 0x62, 0x1F: 0xEB, CRC_RESULT_H: 0xFF, CRC_RESULT_L: 0xFF,
    0x23: 0x88, MOD_WIDTH: 0x26, 0x25: 0x87, 0x26: 0x48, 0x27: 0x88, 0x28: 0x20, 0x29: 0x20, 0x33: 0x80,
    AUTO_TEST: 0x40,
}  # fmt: skip

# The bits that a write can change in the registers that keep what is written; in all others, none.
WRITABLE = {
    COM_I_EN: 0xFF, DIV_I_EN: 0x94, STATUS_2: 0xC0, WATER_LEVEL: 0x3F, COLL: 0x80, MODE: 0xFF, TX_MODE: 0xF8,
    RX_MODE: 0xFC, TX_CONTROL: 0xFB, TX_ASK: 0x40, 0x16: 0x3F, 0x17: 0xFF, 0x18: 0xF7, DEMOD: 0xFF, 0x1C: 0xFF,
    MF_RX: 0x10, 0x1F: 0xFF, MOD_WIDTH: 0xFF, 0x26: 0x70, 0x27: 0xFF, 0x28: 0x3F, 0x29: 0x3F, T_MODE: 0xFF,
    T_PRESCALER: 0xFF, T_RELOAD_H: 0xFF, T_RELOAD_L: 0xFF, 0x31: 0xFF, 0x32: 0xFF, 0x33: 0xFF, 0x34: 0xFF,
    AUTO_TEST: 0x7F, 0x38: 0xFF, 0x39: 0x3F, 0x3A: 0x3F,
}  # fmt: skip

IDLE, MEM, RANDOM_ID, CALC_CRC, TRANSMIT, NO_CMD_CHANGE = 0x00, 0x01, 0x02, 0x03, 0x04, 0x07
RECEIVE, TRANSCEIVE, MF_AUTHENT, SOFT_RESET = 0x08, 0x0C, 0x0E, 0x0F

RCV_OFF, POWER_DOWN = 0x20, 0x10
TX_IRQ, RX_IRQ, IDLE_IRQ, HI_ALERT, LO_ALERT, ERR_IRQ, TIMER_IRQ = 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01
CRC_IRQ = 0x04
WR_ERR, BUFFER_OVFL, COLL_ERR, CRC_ERR, PARITY_ERR = 0x80, 0x10, 0x08, 0x04, 0x02
RECEIVER_ERRORS = 0x0F  # cleared whenever the receiver starts
CRC_OK, CRC_READY = 0x40, 0x20
CRC_PRESETS = (0x0000, 0x6363, 0xA671, 0xFFFF)

# The states of the modem, as STATUS_2 shows them.
RESTING, AWAIT_START, AWAIT_FIELD, SENDING, LISTENING, RECEIVING = 0, 1, 2, 3, 5, 6

FIFO_SIZE = 64
BUFFER_SIZE = 25

# Times in periods of the carrier, 13.56 MHz.
BIT = 128
DELAY_AFTER_ZERO, DELAY_AFTER_ONE = 1172, 1236  # from the reader's last bit to the tag's answer
OSCILLATOR = 512  # 1024 clocks of the 27.12 MHz crystal: 37.74 us
CRYSTAL = 13_560  # the data sheet leaves it to the crystal: 1 ms here
CRC_BYTE = 16
SELF_TEST = 27_120

SELF_TESTS = {
    0x91: binascii.unhexlify(
        "00c637d532b7575cc2d87c4dd970c77310e6d2aa5ea13e5a14af3061c970db2e"
        "642272b5bd65f4ec22bcd37235cdaa411fa7f35314de7e02d90fb55e251d2979"
    ),
    0x92: binascii.unhexlify(
        "00eb66ba57bf2395d0e30d3d27895cde9d3ba700215b8982513aeb020ca50049"
        "7c844db3ccd21b815d4876d5716121a986968338cf9d5b6ddc15ba3e7d953b2f"
    ),
}
