public import BluetoothCodec

/// The response to command 0x50, begin (docs/protocol.md section 7).
///
/// | Offset | Size | Field |
/// | --- | --- | --- |
/// | 0 | 4 | offset from which to resume |
/// | 4 | 1 | receive window in frames |
/// | 5 | 2 | maximum frame length in bytes |
public struct FirmwareStart: Hashable, Sendable {
  /// The number of bytes already on the headphone, from which to resume.
  public var offset: UInt32
  /// The maximum number of unacknowledged frames.
  public var window: UInt8
  /// The maximum length of a frame in bytes, including its offset.
  public var longestFrame: UInt16

  public init(offset: UInt32, window: UInt8, longestFrame: UInt16) {
    self.offset = offset
    self.window = window
    self.longestFrame = longestFrame
  }

  /// Decodes the response's data after its status, at least 7 bytes; further ones are ignored.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "answer to firmware begin")
    offset = try reader.uint32()
    window = try reader.uint8()
    longestFrame = try reader.uint16()
  }
}

/// The response to command 0x57, status (docs/protocol.md section 7).
///
/// | Offset | Size | Field |
/// | --- | --- | --- |
/// | 0 | 1 | state, 0 to 5 |
/// | 1 | 4 | number of bytes of the pending image |
/// | 5 | 4 | running version |
/// | 9 | 4 | pending version; 0 if there is none |
public struct FirmwareStatus: Hashable, Sendable {
  /// The state of an update on the headphone.
  public enum State: UInt8, Hashable, Sendable, CaseIterable {
    case idle = 0
    case receiving = 1
    case received = 2
    /// The pending image is valid; ``FirmwareRequest/activate`` starts it.
    case verified = 3
    /// The new image is running, but not confirmed.
    case trial = 4
    case rolledBack = 5
  }

  public var state: State
  /// The number of bytes of the pending image that are on the headphone.
  public var offset: UInt32
  public var running: FirmwareVersion
  /// The version of the pending image, or nil if there is none (0.0.0 on the wire).
  public var pending: FirmwareVersion?

  public init(state: State, offset: UInt32, running: FirmwareVersion, pending: FirmwareVersion?) {
    self.state = state
    self.offset = offset
    self.running = running
    self.pending = pending
  }

  /// Decodes the response's data after its status, at least 13 bytes; further ones are ignored.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "firmware status")
    state = try reader.choice(State.self)
    offset = try reader.uint32()
    running = FirmwareVersion(word: try reader.uint32())
    let word = try reader.uint32()
    pending = word == 0 ? nil : FirmwareVersion(word: word)
  }
}
