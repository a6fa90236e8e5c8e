public import BluetoothCodec

/// A metadata structure of LE Audio: length, type, value (Assigned Numbers, 6.12.6).
///
/// | type | value |
/// | --- | --- |
/// | 03 | programme, in UTF-8 |
/// | 04 | language: three letters of ISO 639-3 |
/// | 08 | whether there is sound: 0 none, 1 sound |
/// | 0B | name of the broadcast, in UTF-8 |
public struct AudioMetadata: Hashable, Sendable {
  /// The type in Assigned Numbers.
  public var type: UInt8
  /// The bytes after the type.
  public var value: [UInt8]

  public init(_ type: UInt8, _ value: [UInt8]) {
    self.type = type
    self.value = value
  }

  /// Decodes a list up to a length of 0 or one past the end.
  public static func list(_ bytes: Bytes) -> [AudioMetadata] {
    var list: [AudioMetadata] = []
    var rest = bytes
    while let length = rest.first, length > 0, rest.count > Int(length) {
      let structure = rest.dropFirst().prefix(Int(length))
      rest = rest.dropFirst(Int(length) + 1)
      guard let type = structure.first else { break }
      list.append(AudioMetadata(type, Array(structure.dropFirst())))
    }
    return list
  }
}

extension [AudioMetadata] {

  /// The displayable programme, or nil if missing.
  public var programme: String? { text(of: 0x03) }
  /// The displayable name of the broadcast, or nil if missing.
  public var broadcastName: String? { text(of: 0x0B) }

  /// The language in three lower-case letters, or nil if missing or invalid.
  public var language: String? {
    guard let value = value(of: 0x04), value.count == 3,
      value.allSatisfy({ (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) })
    else { return nil }
    return String(decoding: value, as: UTF8.self).lowercased()
  }

  /// Whether there is sound now, or nil if not announced.
  public var hasSound: Bool? { value(of: 0x08).flatMap(\.first).map { $0 != 0 } }

  private func value(of type: UInt8) -> [UInt8]? { first { $0.type == type }?.value }

  private func text(of type: UInt8) -> String? { value(of: type).flatMap { shownText($0[...]) } }
}

func shownText(_ bytes: Bytes) -> String? {
  let text = displayable(textFromAir(bytes))
  return text.allSatisfy(\.isWhitespace) ? nil : text
}
