public import BluetoothCodec
public import GATT

/// A command that harms a family's headphones, which nothing here sends.
///
/// ```swift
/// GAIAFrame.neverSent(in: [0xFF, 0x03, 0x00, 0x00, 0x04, 0x95, 0x06, 0x07])?.harm
/// // "takes the headphone off the air until it is switched off and on"
/// ```
public struct NeverSent: Hashable, Sendable {
  /// The first bytes of a frame without escapes; nil stands for any byte.
  let pattern: [UInt8?]
  /// What it does, in words.
  public let harm: String
  /// The public project that says so.
  public let source: String

  /// - Parameters:
  ///   - pattern: hexadecimal bytes, and ".." for any.
  ///   - harm: what the command does: "resets the headphone".
  ///   - source: its repository, "owner/name".
  init(_ pattern: String, _ harm: String, source: String) {
    self.pattern = pattern.split(separator: " ").map { UInt8($0, radix: 16) }
    (self.harm, self.source) = (harm, source)
  }

  /// Returns whether a frame without escapes begins with the pattern.
  fileprivate func matches(_ frame: [UInt8]) -> Bool {
    frame.count >= pattern.count
      && zip(pattern, frame).allSatisfy { wanted, byte in wanted == nil || wanted == byte }
  }

  /// Returns the refusal in words.
  ///
  /// - Parameter family: names the maker.
  public func refusal(of family: String) -> String {
    "this is never sent to \(family): it \(harm) (\(source))"
  }
}

extension SerialFrame {
  /// Returns the command among bytes to be written that is never sent, or nil if there is none.
  static func neverSent(in bytes: Bytes) -> NeverSent? {
    guard !never.isEmpty else { return nil }
    var reader = FrameReader(formats)
    for message in reader.messages(in: bytes) {
      for frame in formats.compactMap({ $0.unescaped(message) }) {
        if let found = never.first(where: { $0.matches(frame) }) { return found }
      }
    }
    return nil
  }
}

extension HeadphoneProtocol {
  /// Returns the refusal of bytes to be written, or nil if they may be sent.
  package static func refusal(of bytes: Bytes) -> HeadphoneError? {
    words(refusing: bytes).map { .badArgument($0) }
  }

  fileprivate static func words(refusing bytes: Bytes) -> String? {
    Frame.neverSent(in: bytes)?.refusal(of: name)
  }

  /// Whether a frame shows by its first bytes that it is one.
  fileprivate static var marksFrames: Bool { !Frame.formats.contains { $0.marker.isEmpty } }
}

extension HeadphoneFamily {
  /// Returns the refusal of bytes that a person writes to a characteristic, in words, or nil if they may
  /// be sent.
  ///
  /// They are read as frames of the family whose characteristic it is, or of another characteristic as
  /// frames of every family that marks its frames, since several makers take the same ones over LE.
  ///
  /// - Parameter handle: of the characteristic's value.
  public static func refusal(
    of bytes: Bytes, to handle: UInt16, in database: Database
  ) -> String? {
    let own = allCases.compactMap(\.gattProtocol).first {
      $0.channel(in: database)?.write.handle == handle
    }
    if let own { return own.words(refusing: bytes) }
    for family in allCases.compactMap(\.serialProtocol) where family.marksFrames {
      if let words = family.words(refusing: bytes) { return words }
    }
    return nil
  }
}
