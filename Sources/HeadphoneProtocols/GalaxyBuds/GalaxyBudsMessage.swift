extension GalaxyBudsProtocol {
  /// Messages by their published numbers.
  enum Message: UInt8, Hashable, Sendable, CaseIterable {
    /// Batteries and places; sent when one of them changes.
    case shortState = 0x60
    /// Everything; the layout is the generation's (`GalaxyBudsState`).
    case state = 0x61
    /// Confirms a command: its number, then its values.
    case confirmation = 0x42
    /// Firmware and hardware versions; sent when the channel opens, and not read.
    case versions = 0x63
    /// The firmware of both buds; sent when the channel opens.
    case firmware = 0x68
    /// Names the program that controls the buds, upon which they report their state.
    case manager = 0x88
    /// Noise control has changed.
    case noiseChanged = 0x77
    case setNoise = 0x78
    /// Galaxy Buds and Buds+.
    case setAmbient = 0x80
    /// Confirms ``setAmbient``, and reports the change by a touch.
    case ambientChanged = 0x81
    case setAmbientLevel = 0x84
    /// Focus on voice of Galaxy Buds of 2019, game mode of all others.
    case setVoice = 0x85
    case setOneBud = 0x6F
    case setConversation = 0x7A
    case setConversationTime = 0x7B
    case setStrength = 0x83
    case setHolds = 0x92
    case setLouderAmbient = 0x96
    /// Connecting to another device of the same account; inverted.
    case setSeamless = 0xAF
    case setEqualiser = 0x86
    case setTouch = 0x90
    /// Galaxy Buds Live.
    case setCancelling = 0x98
    /// Confirms ``setCancelling``, and reports the change by a touch.
    case cancellingChanged = 0x9B
    case startFinding = 0xA0
    case stopFinding = 0xA1
    case mute = 0xA2
    /// Confirms ``mute``.
    case muted = 0xA3
  }
}
