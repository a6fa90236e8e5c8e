// Made by EvidenceTests from the strings of Tests/HeadphoneProtocolsTests (UPDATE_SCREENS=1).

extension Evidence {
  /// Lines of family, feature, proof, and models with a semicolon between.
  static let recordedLines = """
    nothing|battery|read|CMF Buds Pro 2;CMF Headphone Pro
    nothing|equaliser-preset|read|CMF Buds Pro 2
    nothing|noise-mode|set|Ear (a) B162
    soundcore|battery|read|
    soundcore|cancelling-scene|read|
    soundcore|cancelling-scene|set|Life Q30 (A3028)
    soundcore|equaliser-bands|read|
    soundcore|firmware|read|Life Q30 (A3028)
    soundcore|ldac|read|P31i (1202);R60i NC (1202)
    soundcore|model|read|Life Q30 (A3028)
    soundcore|noise-mode|read|
    soundcore|noise-mode|set|P31i (1202);R60i NC (1202)
    soundcore|serial|read|Life Q30 (A3028)
    soundcore|transparency-kind|read|
    airpods|ambient-level|read|AirPods Pro 2 USB-C (A3048);AirPods Pro 3 (A3064)
    airpods|battery|read|AirPods Pro (A2084);AirPods Pro 2 USB-C (A3048);AirPods Pro 3 (A3064)
    airpods|conversation-awareness|read|AirPods Pro 2 USB-C (A3048);AirPods Pro 3 (A3064)
    airpods|firmware|read|AirPods Pro (A2084);AirPods Pro 2 USB-C (A3048);AirPods Pro 3 (A3064)
    airpods|hold-duration|read|AirPods Pro (A2084);AirPods Pro 2 USB-C (A3048);AirPods Pro 3 (A3064)
    airpods|model|read|AirPods Pro (A2084);AirPods Pro 2 USB-C (A3048);AirPods Pro 3 (A3064)
    airpods|noise-mode|read|AirPods Pro (A2084);AirPods Pro 2 (0x2024);AirPods Pro 2 USB-C (A3048);AirPods Pro 3 (A3064)
    airpods|noise-mode|set|AirPods Pro 2 (0x2024)
    airpods|noise-mode|confirmed|AirPods Pro 2 (0x2024)
    airpods|one-bud-noise-control|read|AirPods Pro (A2084);AirPods Pro 2 USB-C (A3048);AirPods Pro 3 (A3064)
    airpods|optimised-charging|read|AirPods Pro 3 (A3064)
    airpods|personalised-volume|read|AirPods Pro 2 USB-C (A3048);AirPods Pro 3 (A3064)
    airpods|press-in-call|read|AirPods Pro (A2084);AirPods Pro 2 USB-C (A3048);AirPods Pro 3 (A3064)
    airpods|press-speed|read|AirPods Pro (A2084);AirPods Pro 2 USB-C (A3048);AirPods Pro 3 (A3064)
    airpods|primary-bud|read|AirPods Pro (A2084);AirPods Pro 2 USB-C (A3048);AirPods Pro 3 (A3064)
    airpods|serial|read|AirPods Pro (A2084);AirPods Pro 2 USB-C (A3048);AirPods Pro 3 (A3064)
    airpods|swipe-length|read|AirPods Pro 2 USB-C (A3048);AirPods Pro 3 (A3064)
    airpods|tone-volume|read|AirPods Pro (A2084);AirPods Pro 2 USB-C (A3048);AirPods Pro 3 (A3064)
    airpods|volume-swipe|read|AirPods Pro 2 USB-C (A3048);AirPods Pro 3 (A3064)
    airpods|wearing|read|AirPods Pro (A2084);AirPods Pro 2 USB-C (A3048);AirPods Pro 3 (A3064)
    jbl|battery|read|TUNE230NC TWS
    jbl|noise-mode|read|TUNE230NC TWS
    jbl|noise-mode|set|TUNE230NC TWS
    jbl|noise-mode|confirmed|TUNE230NC TWS
    jbl|talk-through|read|TUNE230NC TWS
    jbl|talk-through|set|TUNE230NC TWS
    qcy|ldac|read|MeloBuds N70
    qcy|low-latency|read|MeloBuds N70
    qcy|multipoint|read|MeloBuds N70
    qcy|wear-detection|read|MeloBuds N70
    qcy|wear-detection|set|MeloBuds N70
    qcy|wind-reduction|read|MeloBuds N70
    sony|adaptive-ambient|read|
    sony|adaptive-sensitivity|read|
    sony|ambient-level|read|WH-1000XM4;WH-1000XM5;WH-CH520;WH-CH720N
    sony|ambient-level|set|WH-1000XM4;WH-CH720N
    sony|ambient-level|confirmed|WH-1000XM4;WH-CH720N
    sony|auto-power-off|read|WH-1000XM3
    sony|battery|read|
    sony|clear-bass|read|WH-1000XM4
    sony|equaliser-bands|read|
    sony|equaliser-preset|read|WH-1000XM4
    sony|equaliser-preset|set|WH-1000XM4
    sony|equaliser-preset|confirmed|WH-1000XM4
    sony|focus-on-voice|read|WH-1000XM4;WH-1000XM5;WH-CH520;WH-CH720N
    sony|focus-on-voice|set|WH-1000XM4;WH-CH720N
    sony|focus-on-voice|confirmed|WH-1000XM4;WH-CH720N
    sony|multipoint|read|
    sony|noise-button|read|
    sony|noise-mode|read|WH-1000XM4;WH-1000XM5;WH-CH520;WH-CH720N
    sony|noise-mode|set|WH-1000XM4;WH-CH720N
    sony|noise-mode|confirmed|WH-1000XM4;WH-CH720N
    sony|pause-when-taken-off|read|
    sony|speak-to-chat|read|WH-1000XM6
    sony|speak-to-chat-end|read|
    sony|speak-to-chat-sensitivity|read|
    sony|speak-to-chat-voice|read|
    sony|touch-panel|read|
    sony|voice-guide|read|WH-1000XM6
    sony|voice-guide|set|WH-1000XM6
    sony|voice-guide|confirmed|WH-1000XM6
    sony|wearing|read|WH-1000XM6
    sony|wind-reduction|read|WH-1000XM4
    galaxy-buds|ambient-level|read|Galaxy Buds4 Pro (SM-R640)
    galaxy-buds|battery|read|Galaxy Buds4 Pro (SM-R640)
    galaxy-buds|conversation-detection|read|Galaxy Buds4 Pro (SM-R640)
    galaxy-buds|conversation-end|read|Galaxy Buds4 Pro (SM-R640)
    galaxy-buds|equaliser-preset|read|Galaxy Buds4 Pro (SM-R640)
    galaxy-buds|game-mode|read|Galaxy Buds4 Pro (SM-R640)
    galaxy-buds|hold-left|read|Galaxy Buds4 Pro (SM-R640)
    galaxy-buds|hold-right|read|Galaxy Buds4 Pro (SM-R640)
    galaxy-buds|noise-mode|read|Galaxy Buds4 Pro (SM-R640)
    galaxy-buds|noise-mode|set|
    galaxy-buds|one-bud-noise-control|read|Galaxy Buds4 Pro (SM-R640)
    galaxy-buds|seamless-connection|read|Galaxy Buds4 Pro (SM-R640)
    galaxy-buds|touch-lock|read|Galaxy Buds4 Pro (SM-R640)
    galaxy-buds|wearing|read|Galaxy Buds4 Pro (SM-R640)
    bose|ambient-level|read|QC Ultra Earbuds 2;QC Ultra Headphones 2
    bose|bass|read|QC Ultra Headphones 2
    bose|battery|read|QC Ultra Earbuds 2;QC35
    bose|favourite-aware|read|QC Ultra Earbuds 2
    bose|favourite-quiet|read|QC Ultra Earbuds 2
    bose|hold-button|read|
    bose|hold-left|read|QC Ultra Earbuds 2
    bose|hold-right|read|QC Ultra Earbuds 2
    bose|hold-right|set|
    bose|immersive-audio|read|QC Ultra Earbuds 2
    bose|middle|read|QC Ultra Headphones 2
    bose|multipoint|read|QC Ultra Earbuds 2
    bose|noise-cancelling-step|read|QC35
    bose|noise-cancelling-step|set|QC35
    bose|noise-mode|read|QC Ultra Earbuds 2
    bose|noise-mode|set|
    bose|paired-devices|read|QC Ultra Headphones 2
    bose|paired-devices|set|QC Ultra Earbuds 2
    bose|pause-when-taken-off|read|
    bose|sidetone|read|
    bose|treble|read|QC Ultra Headphones 2
    bose|voice-prompts|read|
    huawei|battery|read|
    huawei|firmware|read|FreeBuds SE 2 (BTFT0016)
    huawei|lid|read|
    huawei|model|read|FreeBuds SE 2 (BTFT0016)
    oppo|battery|read|OnePlus Buds Pro (060C14)
    oppo|cancelling-strength|read|OnePlus Buds Pro (060C14)
    oppo|cancelling-strength|set|OnePlus Buds Pro (060C14);OnePlus Buds Pro 2 (062014)
    oppo|cancelling-strength|confirmed|OnePlus Buds Pro (060C14)
    oppo|equaliser-preset|read|OnePlus Buds Pro 2 (062014);Oppo Enco Buds3 Pro
    oppo|equaliser-preset|set|OnePlus Buds Pro 2 (062014)
    oppo|noise-mode|read|OnePlus Buds Pro (060C14);OnePlus Buds Pro 2 (062014)
    oppo|noise-mode|set|OnePlus Buds Pro (060C14);OnePlus Buds Pro 2 (062014)
    oppo|noise-mode|confirmed|OnePlus Buds Pro (060C14)
    oppo|wearing|read|
    pixel-buds|battery|read|
    vivo|battery|read|TWS Air3 Pro
    vivo|noise-mode|read|TWS Air3 Pro
    vivo|noise-mode|set|TWS Air3 Pro
    edifier|ambient-level|read|W820NB Double Gold
    edifier|ambient-level|set|W820NB Double Gold
    edifier|auto-power-off|read|W820NB Double Gold
    edifier|auto-power-off|set|W820NB Double Gold
    edifier|battery|read|W820NB Double Gold
    edifier|equaliser-preset|set|W820NB Double Gold
    edifier|game-mode|read|W820NB Double Gold
    edifier|game-mode|set|W820NB Double Gold
    edifier|ldac|read|W820NB Double Gold
    edifier|ldac|set|W820NB Double Gold
    edifier|noise-button|read|W820NB Double Gold
    edifier|noise-button|set|W820NB Double Gold
    edifier|noise-kind|read|
    edifier|noise-mode|read|W820NB Double Gold
    edifier|noise-mode|set|W820NB Double Gold
    edifier|prompt-volume|read|W820NB Double Gold
    edifier|prompt-volume|set|W820NB Double Gold
    sennheiser|auto-answer|read|Momentum 4
    sennheiser|auto-answer|set|Momentum 4
    sennheiser|auto-answer|confirmed|Momentum 4
    sennheiser|battery|read|Momentum 4
    sennheiser|comfort|read|Momentum 4
    sennheiser|comfort-call|read|Momentum 4
    sennheiser|comfort-call|set|Momentum 4
    sennheiser|comfort-call|confirmed|Momentum 4
    sennheiser|hear-through|read|Momentum 4
    sennheiser|hear-through-level|read|Momentum 4
    sennheiser|pause-when-taken-off|read|Momentum 4
    sennheiser|pause-when-taken-off|set|Momentum 4
    sennheiser|pause-when-taken-off|confirmed|Momentum 4
    sennheiser|sample-rate|read|HDB 630
    sennheiser|touch-lock|read|Momentum 4
    sennheiser|wear-detection|read|Momentum 4
    sennheiser|wear-detection|set|Momentum 4
    sennheiser|wear-detection|confirmed|Momentum 4
    sennheiser|wearing|read|HDB 630
    sennheiser|wind-reduction|read|Momentum 4
    redmi|cancelling-strength|read|Redmi Buds 5 Pro
    redmi|cancelling-strength|set|Redmi Buds 5 Pro
    redmi|noise-mode|read|Redmi Buds 5 Pro
    1more|ldac|set|SonoFlow
    1more|multipoint|set|SonoFlow
    1more|noise-mode|set|SonoFlow
    moondrop|noise-mode|set|Pudding;Robin
    """
}
