public import BluetoothCodec

/// A command with its payload (docs/protocol.md section 6), for the side that sends it and for the
/// side that carries it out.
public enum WireCommand: Hashable, Sendable {
  /// 0x01.
  case capabilities
  /// Answered with the same bytes.
  case ping(Bytes)
  /// 0x03: all values, as events.
  case state
  case setANC(ANCMode)
  /// 0 to 10.
  case setANCLevel(UInt8)
  case setEQ(EQPreset)
  /// From the lowest band to the highest.
  case setCustomEQ([BandGain])
  /// 0x22: the gains of the custom equaliser.
  case customEQ
  /// Begins or ends the sound of these buds; refused with status 8 for one that is in an ear.
  case find(Sides, isOn: Bool)
  case setTouchAction(Side, TouchGesture, TouchAction)
  /// 0x32: what each gesture does.
  case touchActions
  case setWearDetection(isOn: Bool)
  /// 1 to 32 bytes of UTF-8.
  case rename(String)
  /// 0x70: with "RESET" as its payload; only on a bonded, encrypted link.
  case factoryReset
  /// 0x71: the link ends, whether it is answered or not.
  case restart

  /// The highest level of noise control.
  public static let highestANCLevel: UInt8 = 10
  /// How long a name may be; bytes of UTF-8.
  public static let nameLength = 1...32
  /// "RESET", so that no stray byte resets a headphone.
  static let resetWord: [UInt8] = Array("RESET".utf8)

  /// Stands in the packet's third byte.
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

  /// What stands in the packet behind its length, before it is cut into packets.
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
