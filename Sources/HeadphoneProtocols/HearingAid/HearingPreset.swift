public import BluetoothCodec

/// Hearing Aid Features (2BDA; Hearing Access Service 1.0).
///
/// | bits | field |
/// | --- | --- |
/// | 0, 1 | type: 0 binaural, 1 monaural, 2 banded |
/// | 2 | presets are synchronised between the two aids |
/// | 3 | the lists of the two aids differ |
/// | 4 | the list may change |
/// | 5 | names can be written |
public struct HearingAidFeatures: Hashable, Sendable {
  /// Whether the device is one of a pair, single, or two aids in one.
  public enum Kind: UInt8, Hashable, Sendable {
    case binaural, monaural, banded
  }

  public var kind: Kind
  /// Whether one aid passes a preset on to the other.
  public var synchronisesPresets: Bool
  /// Whether the two aids have different lists of presets.
  public var hasIndependentPresets: Bool
  public var hasDynamicPresets: Bool
  public var hasWritableNames: Bool

  public init(
    _ kind: Kind, synchronisesPresets: Bool = false, hasIndependentPresets: Bool = false,
    hasDynamicPresets: Bool = false, hasWritableNames: Bool = false
  ) {
    self.kind = kind
    self.synchronisesPresets = synchronisesPresets
    self.hasIndependentPresets = hasIndependentPresets
    self.hasDynamicPresets = hasDynamicPresets
    self.hasWritableNames = hasWritableNames
  }

  /// Decodes one byte, and ignores its two highest bits; type 3 is malformed.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "hearing aid features")
    let flags = try reader.uint8()
    try reader.finish()
    guard let kind = Kind(rawValue: flags & 0b11) else {
      throw reader.malformed(.badValue(UInt64(flags)), at: 0)
    }
    self.init(
      kind, synchronisesPresets: flags & 1 << 2 != 0, hasIndependentPresets: flags & 1 << 3 != 0,
      hasDynamicPresets: flags & 1 << 4 != 0, hasWritableNames: flags & 1 << 5 != 0)
  }
}

/// A preset record: how a hearing aid processes sound, for example in a restaurant.
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | index, 1 to 255 |
/// | 1 | 1 | name writable (bit 0), available (bit 1) |
/// | 2 | 1 to 40 | name in UTF-8 |
public struct HearingPreset: Hashable, Sendable {
  /// The lengths of a name in bytes of UTF-8.
  public static let nameLengths = 1...40

  /// The index, 1 to 255.
  public var index: UInt8
  public var isWritable: Bool
  public var isAvailable: Bool
  /// The name as received, which may be any text.
  public var name: String

  public init(_ index: UInt8, _ name: String, isWritable: Bool = false, isAvailable: Bool = true) {
    self.index = index
    self.name = name
    self.isWritable = isWritable
    self.isAvailable = isAvailable
  }

  /// Decodes a record at the end of a message; some aids send names that are empty or too long.
  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    let offset = reader.offset
    index = try reader.uint8()
    guard index != 0 else { throw reader.malformed(.badValue(0), at: offset) }
    let properties = try reader.uint8()
    isWritable = properties & 1 << 0 != 0
    isAvailable = properties & 1 << 1 != 0
    name = textFromAir(reader.rest())
  }

  /// The displayable name, or "Preset 5" if it is blank.
  public var title: String {
    let shown = displayable(name)
    return shown.allSatisfy(\.isWhitespace) ? "Preset \(index)" : shown
  }
}
