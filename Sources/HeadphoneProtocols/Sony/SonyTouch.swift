internal import BluetoothCodec

/// The touch actions of both buds: F6 06 in the first generation, F6 03 in the second (function
/// F3).
///
/// The type is followed by the number of buds, 2, and a byte for each bud. The number of noise
/// control depends on the model, so that action is offered only after a bud has reported it.
struct SonyTouch: Hashable, Sendable {
  private var left: UInt8
  private var right: UInt8
  private let noise: UInt8?

  /// Decodes the bytes after command and type, or returns nil if they do not describe two buds;
  /// updates `noise` if a bud reports it.
  init?(_ reader: inout ByteReader, noise: inout UInt8?) throws(MalformedBytes) {
    guard try reader.uint8() == 2 else { return nil }
    left = try reader.uint8()
    right = try reader.uint8()
    noise = [left, right].first { Self.name($0) == Self.noiseControl } ?? noise
    self.noise = noise
  }

  static func type(_ generation: SonyProtocol.Generation) -> UInt8 {
    generation == .first ? 0x06 : 0x03
  }

  func payload(_ generation: SonyProtocol.Generation) -> [UInt8] {
    [0xF8, Self.type(generation), 2, left, right]
  }

  private static let noiseControl = "noise-control"

  private static func name(_ byte: UInt8) -> String? {
    switch byte {
    case 0x00, 0x35: noiseControl
    case 0x10: "volume"
    case 0x20: "playback"
    case 0xFF: "none"
    default: nil
    }
  }

  private var offered: [UInt8] {
    [0x20, 0x10] + [noise].compactMap(\.self) + [0xFF]
  }

  private static func id(_ side: Side) -> SettingID { SettingID(rawValue: "touch-\(side)") }

  /// The settings of both buds with their values; an unnamed action is reported as its number.
  var settings: [(SettingDeclaration, SettingValue)] {
    let names = SettingDeclaration.Kind.choices(offered.compactMap(Self.name))
    return zip(Side.allCases, [left, right]).map { side, byte in
      (SettingDeclaration(Self.id(side), names), .choice(Self.name(byte) ?? "\(byte)"))
    }
  }

  func with(_ id: SettingID, _ value: SettingValue) -> SonyTouch? {
    guard case .choice(let name) = value,
      let byte = offered.first(where: { Self.name($0) == name })
    else { return nil }
    var changed = self
    switch id {
    case Self.id(.left): changed.left = byte
    case Self.id(.right): changed.right = byte
    default: return nil
    }
    return changed
  }
}
