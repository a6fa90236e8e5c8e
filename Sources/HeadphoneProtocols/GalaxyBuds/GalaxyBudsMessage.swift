extension GalaxyBudsProtocol {
  enum Message: UInt8, Hashable, Sendable, CaseIterable {
    /// The batteries and places, after a change.
    case shortState = 0x60
    /// All values, see `GalaxyBudsState`.
    case state = 0x61
    /// The confirmation of a command: its number, then its values.
    case confirmation = 0x42
    /// The firmware and hardware versions, sent when the channel opens; ignored.
    case versions = 0x63
    /// The firmware of both buds, sent when the channel opens.
    case firmware = 0x68
    /// Identifies the controlling program; the buds then report their state.
    case manager = 0x88
    case noiseChanged = 0x77
    case setNoise = 0x78
    /// Ambient sound on Galaxy Buds and Buds+.
    case setAmbient = 0x80
    /// The confirmation of ``setAmbient``, or a change by a touch.
    case ambientChanged = 0x81
    case setAmbientLevel = 0x84
    /// Focus on voice on the buds of 2019, game mode on all others.
    case setVoice = 0x85
    case setOneBud = 0x6F
    case setConversation = 0x7A
    case setConversationTime = 0x7B
    case setStrength = 0x83
    case setHolds = 0x92
    case setLouderAmbient = 0x96
    /// Connecting to another device of the same account; the flag is inverted.
    case setSeamless = 0xAF
    case setEqualiser = 0x86
    case setTouch = 0x90
    /// Noise cancelling on Galaxy Buds Live.
    case setCancelling = 0x98
    /// The confirmation of ``setCancelling``, or a change by a touch.
    case cancellingChanged = 0x9B
    case startFinding = 0xA0
    case stopFinding = 0xA1
    case mute = 0xA2
    case muted = 0xA3
  }
}
