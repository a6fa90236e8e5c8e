public import BluetoothCodec

/// What command 0x50 answers.
public struct FirmwareStart: Hashable, Sendable {
  /// Where to go on: what comes before is on the headphone; bytes.
  public var offset: UInt32
  /// Frames that may be unacknowledged.
  public var window: UInt8
  /// Bytes of a frame, its offset included.
  public var longestFrame: UInt16

  public init(offset: UInt32, window: UInt8, longestFrame: UInt16) {
    self.offset = offset
    self.window = window
    self.longestFrame = longestFrame
  }

  /// Decodes the response's data, without its status; longer data are accepted.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "answer to firmware begin")
    offset = try reader.uint32()
    window = try reader.uint8()
    longestFrame = try reader.uint16()
  }

  /// The response's data: 7 bytes.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: offset)
    bytes.append(window)
    bytes.append(littleEndian: longestFrame)
    return bytes
  }
}

/// What command 0x57 answers.
public struct FirmwareStatus: Hashable, Sendable {
  /// Where the headphone is; the number is that of docs/protocol.md section 7.
  public enum State: UInt8, Hashable, Sendable, CaseIterable {
    /// No image is pending.
    case idle = 0
    /// Bytes of an image are missing.
    case receiving = 1
    /// All bytes are there, and not checked as a whole.
    case received = 2
    /// The image is good; ``FirmwareRequest/activate`` starts it.
    case verified = 3
    /// The new image runs and is not confirmed.
    case trial = 4
    /// An image on trial was not confirmed: the old one runs again.
    case rolledBack = 5
  }

  /// How far the headphone is with an image.
  public var state: State
  /// What of the pending image is on the headphone; bytes.
  public var offset: UInt32
  /// The firmware that runs, on trial or for good.
  public var running: FirmwareVersion
  /// The version that is on its way; nil: nothing is, which is 0.0.0 on the wire.
  public var pending: FirmwareVersion?

  public init(state: State, offset: UInt32, running: FirmwareVersion, pending: FirmwareVersion?) {
    self.state = state
    self.offset = offset
    self.running = running
    self.pending = pending
  }

  /// Decodes the response's data, without its status; longer data are accepted.
  ///
  /// - Throws: for a state that docs/protocol.md does not list, too.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "firmware status")
    state = try reader.choice(State.self)
    offset = try reader.uint32()
    running = FirmwareVersion(word: try reader.uint32())
    let word = try reader.uint32()
    pending = word == 0 ? nil : FirmwareVersion(word: word)
  }

  /// The response's data: 13 bytes.
  public func encoded() -> [UInt8] {
    var bytes = [state.rawValue]
    bytes.append(littleEndian: offset)
    bytes.append(littleEndian: running.word)
    bytes.append(littleEndian: pending?.word ?? 0)
    return bytes
  }
}
