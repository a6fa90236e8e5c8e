internal import BluetoothCodec

/// What touching either bud does: F6 06 of the first generation, F6 03 of the second (function F3).
///
/// Behind the type are the number of buds, 2, and a byte for each. Noise control has two numbers,
/// by model: it is offered once one of the buds has reported its number.
struct SonyTouch: Hashable, Sendable {
  private var left: UInt8
  private var right: UInt8
  /// The number of noise control; nil: neither bud has reported it.
  private let noise: UInt8?

  /// Decodes what follows command and type; nil: it is no pair of buds.
  ///
  /// - Parameter noise: the number of noise control, as far as it was reported.
  init?(_ reader: inout ByteReader, noise: inout UInt8?) throws(MalformedBytes) {
    guard try reader.uint8() == 2 else { return nil }
    left = try reader.uint8()
    right = try reader.uint8()
    noise = [left, right].first { Self.name($0) == Self.noiseControl } ?? noise
    self.noise = noise
  }

  /// The byte behind the command.
  static func type(_ generation: SonyProtocol.Generation) -> UInt8 {
    generation == .first ? 0x06 : 0x03
  }

  /// The payload of the command.
  func payload(_ generation: SonyProtocol.Generation) -> [UInt8] {
    [0xF8, Self.type(generation), 2, left, right]
  }

  private static let noiseControl = "noise-control"

  /// The name of a byte; nil: it has none here.
  private static func name(_ byte: UInt8) -> String? {
    switch byte {
    case 0x00, 0x35: noiseControl
    case 0x10: "volume"
    case 0x20: "playback"
    case 0xFF: "none"
    default: nil
    }
  }

  /// The bytes that can be ordered.
  private var offered: [UInt8] {
    [0x20, 0x10] + [noise].compactMap(\.self) + [0xFF]
  }

  private static func id(_ side: Side) -> SettingID { SettingID(rawValue: "touch-\(side)") }

  /// The settings of both buds and their values, without those that have no name here.
  var settings: [(SettingDeclaration, SettingValue)] {
    let names = SettingDeclaration.choices(offered.compactMap(Self.name))
    return zip([Side.left, .right], [left, right]).compactMap { side, byte in
      let declaration = SettingDeclaration(
        Self.id(side), names, title: "Touch \(side)",
        label: side == .left ? "Touch L" : "Touch R", group: .controls)
      return Self.name(byte).map { (declaration, .choice($0)) }
    }
  }

  /// The same with another action of one bud; nil: it is none of these settings.
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
