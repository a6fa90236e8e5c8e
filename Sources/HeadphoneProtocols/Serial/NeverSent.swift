public import BluetoothCodec

/// A command that harms a family's headphones and is therefore never sent.
public struct NeverSent: Hashable, Sendable {
  /// The first bytes of the unescaped frame; nil matches any byte.
  let pattern: [UInt8?]
  /// The harm in words, as a predicate: "resets the headphone".
  public let harm: String
  /// The public project that reports the harm, "owner/name".
  public let source: String

  /// Creates a pattern of hexadecimal bytes, and ".." for any byte.
  init(_ pattern: String, _ harm: String, source: String) {
    self.pattern = pattern.split(separator: " ").map { UInt8($0, radix: 16) }
    (self.harm, self.source) = (harm, source)
  }

  fileprivate func matches(_ frame: [UInt8]) -> Bool {
    frame.count >= pattern.count
      && zip(pattern, frame).allSatisfy { wanted, byte in wanted == nil || wanted == byte }
  }

  /// Returns the text of the error, with the name of the maker.
  public func refusal(of family: String) -> String {
    "this is never sent to \(family): it \(harm) (\(source))"
  }
}

extension SerialFrame {
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
  package static func refusal(of bytes: Bytes) -> HeadphoneError? {
    words(refusing: bytes).map { .badArgument($0) }
  }

  fileprivate static func words(refusing bytes: Bytes) -> String? {
    Frame.neverSent(in: bytes)?.refusal(of: name)
  }

  fileprivate static func isSpoken(on service: BluetoothUUID) -> Bool {
    (self as? any SerialProtocol.Type)?.services.contains {
      !$0.isShared && $0.match([service], vendor: $0.vendor) != nil
    } ?? false
  }

  /// Whether frames can be recognised by a marker.
  fileprivate static var marksFrames: Bool { !Frame.formats.contains { $0.marker.isEmpty } }
}

extension HeadphoneFamily {
  /// Returns the text of the error for bytes that the user writes to a characteristic, or nil if
  /// they may be sent.
  ///
  /// If the characteristic belongs to a family, the bytes are read as its frames, otherwise as
  /// frames of every family that has a marker, since several makers use the same frames over LE.
  ///
  /// - Parameter handle: the handle of the characteristic's value.
  public static func refusal(
    of bytes: Bytes, to handle: UInt16, in database: Database
  ) -> String? {
    let own = allCases.compactMap(\.gattProtocol).first {
      $0.channel(in: database)?.write.handle == handle
    }
    if let own { return own.words(refusing: bytes) }
    return refusal(of: bytes, from: nil, isMarked: true)
  }

  /// Returns the text of the error for bytes that are read as frames of all families, or nil if
  /// they may be sent.
  ///
  /// - Parameters:
  ///   - service: the service of the channel, or nil if it belongs to no family.
  ///   - isMarked: whether families whose frames have no marker are left out, unless they use
  ///     `service`.
  package static func refusal(
    of bytes: Bytes, from service: BluetoothUUID?, isMarked: Bool
  ) -> String? {
    for family in allCases.compactMap(\.serialProtocol)
    where family.marksFrames || !isMarked || service.map(family.isSpoken) == true {
      if let words = family.words(refusing: bytes) { return words }
    }
    return HeadphonePacket.words(refusing: bytes)
  }
}

extension HeadphonePacket {
  /// Returns why a packet of docs/protocol.md is not sent outside of its driver, or nil if it may
  /// be.
  fileprivate static func words(refusing bytes: Bytes) -> String? {
    guard (try? format.content(of: bytes, "packet")) != nil else { return nil }
    return switch CommandID(rawValue: bytes[bytes.startIndex + 2]) {
    case .firmwareBegin, .firmwareData, .firmwareBlockDone, .firmwareVerify, .firmwareActivate,
      .firmwareConfirm:
      "this is sent by `earshot firmware install` only: it updates the firmware"
    case .factoryReset: "this is sent by `earshot reset` only: it resets the headphone"
    default: nil
    }
  }
}
