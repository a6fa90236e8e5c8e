"""Headphones on Bumble, in the air around the guest's `hci0`; written from docs/protocol.md alone.

`python -m air SOCKET` runs them; the test cases tell it over SOCKET what to switch on.
"""
