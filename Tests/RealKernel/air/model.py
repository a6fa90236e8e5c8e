"""What kind of headphone it is, and the state it is in."""

from dataclasses import dataclass, field

FEATURES = (
    "anc",
    "anc_level",
    "eq",
    "custom_eq",
    "wear_detection",
    "find",
    "touch_actions",
    "case",
    "firmware_update",
    "rename",
    "factory_reset",
)
"""In the order of the feature bits of command 0x01 (docs/protocol.md, section 6)."""


@dataclass
class Model:
    """A headphone to switch on; the defaults make a full one that behaves well."""

    name: str = "Earshot One"
    address: str = "F0:F1:F2:F3:F4:F5"
    """A random static address, unless it ends in "/P": public."""
    rssi: int = -50
    """dBm, as the kernel's controller hears it."""
    advertisement: str | None = None
    """Hexadecimal bytes in place of the advertisement that docs/protocol.md asks for."""
    is_headphone: bool = True
    """False: something else that advertises, without a control service."""

    family: str | None = None
    """Whose language it speaks: None is docs/protocol.md's, else a name of headphone.FAMILIES."""
    channel: int = 0
    """Of its controls, which no record names; 8 is then open and silent. 0: a record names it."""
    side: str = "left"
    """Which bud of a set it is (family "bud")."""
    seals_key: bool = False
    """Its set's key is encrypted by the link's."""
    hears_broadcasts: bool = True
    """It is near enough to a broadcast to follow it (family "auracast")."""
    refuses_sources: int = 0
    """The ATT error by which it refuses whatever broadcast it is sent to (family "auracast")."""
    has_gains: bool = True
    """It answers what asks for custom gains (family "nothing")."""
    answers_backwards: bool = False
    """It answers its battery at once; what it is asked before its firmware it answers after it, the last
    first (family "nothing")."""
    says_firmware: bool = True
    """It has a characteristic with it (families "qcy", "soundpeats")."""
    is_talkative: bool = False
    """Before each answer it tells something unasked (family "nothing")."""

    sound: bool = False
    """It has an audio side over BR/EDR besides: music (A2DP) and calls (HFP)."""
    buttons: bool = False
    """It has buttons for media players (AVRCP); only with `sound`."""
    volume: int | None = None
    """Its own volume, of 127, which phones set, too (absolute volume); only with `buttons`."""
    plays_by_itself: bool = False
    """It presses play as soon as it is connected."""
    secure_sound: bool = False
    """That has Secure Connections."""
    pin: str | None = None
    """It is older than Bluetooth 2.1: it has an audio side alone, and this PIN."""

    long_uuids: bool = False
    encrypted: bool = False
    """Every characteristic of the control service demands encryption."""
    protected_settings: bool = False
    """Only writing noise control and equaliser demands it."""
    pairing: str = "none"
    """Its input and output: "none", "compare" (display, yes and no), "display", "keyboard"."""
    legacy_pairing: bool = False
    """It knows no LE Secure Connections."""
    key_size: int = 16
    """Bytes: the most that its LE keys have."""
    refuses_pairing: bool = False
    refuses_audio_pairing: bool = False
    """The LE side alone is paired; without a display."""
    private: bool = False
    """It advertises resolvable private addresses; `address` is the one that it keeps."""
    delivery: str = "notify"
    """How events come: "notify" or "indicate"."""
    mtu: int = 517
    batteries: tuple = ("left", "right", "case")
    """One Battery service for each; empty: one without a Presentation Format descriptor."""
    features: tuple = (
        "anc",
        "eq",
        "custom_eq",
        "wear_detection",
        "find",
        "touch_actions",
        "case",
        "rename",
        "factory_reset",
    )
    says_capabilities: bool = True
    """False: command 0x01 is answered with status 1."""
    echoes: bool = True
    """Whether a change that the phone wrote comes back as an event."""
    curious: bool = False
    """Sends ATT requests, and a command that no one knows, to the phone."""
    deaf_to: dict = field(default_factory=dict)
    """Command id (hexadecimal) to how many times it goes unanswered before it is heard."""

    maker_key: str = "00" * 32
    """The public key of who makes firmware for it, hexadecimal (feature "firmware_update")."""
    loses_frames: list = field(default_factory=list)
    """Frames that do not reach its firmware's buffer, counted from 1."""
    battery_out_at: int | None = None
    """Once so many bytes of an image are there, its battery is out for a moment."""

    manufacturer: str = "Earshot Audio"
    model: str = "EA-1"
    serial: str = "0042"
    firmware: str = "1.0.3"
    hardware: str = "A"


@dataclass
class State:
    """What the phone can read, change, or be told of."""

    anc: int = 0
    anc_level: int = 5
    eq: int = 0
    bands: list = field(default_factory=lambda: [0] * 5)
    """Signed steps of 0.5 dB."""
    battery: list = field(default_factory=lambda: [80, 75, 50])
    """Left, right, case in %; None: unknown."""
    charging: list = field(default_factory=list)
    wearing: list = field(default_factory=lambda: [1, 1])
    lid: int = 0
    finding: int = 0
    touch: list = field(default_factory=lambda: [1, 2, 3, 4, 1, 2, 3, 5])
    wear_detection: int = 1
