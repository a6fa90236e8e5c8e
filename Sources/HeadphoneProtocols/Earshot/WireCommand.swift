public import BluetoothCodec

/// A command with its payload (docs/protocol.md section 6), for both sides of the channel.
public enum WireCommand: Hashable, Sendable {
  /// 0x01: requests a ``CapabilityReport``.
  case capabilities
  /// 0x02: requests a response with the same bytes.
  case ping(Bytes)
  /// 0x03: requests a ``StateReport``.
  case state
  /// 0x10, on headphones without FFF1.
  case setANC(ANCMode)
  /// 0x11: 0 to 10.
  case setANCLevel(UInt8)
  case setEQ(EQPreset)
  /// 0x21: the gains of the custom equaliser, lowest band first.
  case setCustomEQ([BandGain])
  /// 0x22: requests the ``BandGains`` of the custom equaliser.
  case customEQ
  /// 0x30: refused with status 8 for a bud in an ear.
  case find(Sides, isOn: Bool)
  case setTouchAction(Side, TouchGesture, TouchAction)
  /// 0x32: requests a ``TouchActionTable``.
  case touchActions
  case setWearDetection(isOn: Bool)
  /// 0x34: 1 to 32 bytes of UTF-8.
  case rename(String)
  /// 0x70, with the payload "RESET", on a bonded and encrypted link.
  case factoryReset
  /// 0x71: ends the link with or without a response.
  case restart

  /// The highest level of noise control.
  public static let highestANCLevel: UInt8 = 10
  /// The length of a name in bytes of UTF-8.
  public static let nameLength = 1...32
  /// Required, so that no stray byte resets a headphone.
  static let resetWord: [UInt8] = Array("RESET".utf8)

  public var id: CommandID {
    switch self {
    case .capabilities: .capabilities
    case .ping: .ping
    case .state: .state
    case .setANC: .setANC
    case .setANCLevel: .setANCLevel
    case .setEQ: .setEQ
    case .setCustomEQ: .setCustomEQ
    case .customEQ: .customEQ
    case .find: .find
    case .setTouchAction: .setTouchAction
    case .touchActions: .touchActions
    case .setWearDetection: .setWearDetection
    case .rename: .rename
    case .factoryReset: .factoryReset
    case .restart: .restart
    }
  }

  /// The payload, before it is split into packets.
  public var payload: [UInt8] {
    switch self {
    case .capabilities, .state, .customEQ, .touchActions, .restart: []
    case .ping(let bytes): Array(bytes)
    case .setANC(let mode): [mode.rawValue]
    case .setANCLevel(let level): [level]
    case .setEQ(let preset): [preset.rawValue]
    case .setCustomEQ(let gains): encodedGains(gains)
    case .find(let sides, let isOn): [sides.rawValue, isOn ? 1 : 0]
    case .setTouchAction(let side, let gesture, let action):
      [side.rawValue, gesture.rawValue, action.rawValue]
    case .setWearDetection(let isOn): [isOn ? 1 : 0]
    case .rename(let name): Array(name.utf8)
    case .factoryReset: Self.resetWord
    }
  }
}
