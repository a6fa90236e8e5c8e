public import BluetoothCodec
public import HeadphoneProtocols

/// A headphone with a serial channel on its audio side as a value: frames go in, frames come out.
///
/// ``VirtualSerial`` cuts the stream; what the headphone does not understand it skips.
public protocol VirtualSerialHeadphone: Hashable, Sendable {
  /// The service on whose channel it speaks.
  var service: BluetoothUUID { get }

  /// The company of its Device ID record; nil: it has none.
  var vendor: UInt16? { get }

  /// The number of its channel if no record names the service; nil: a record does.
  var channel: UInt8? { get }

  /// The framing of what the phone sends.
  var format: FrameFormat { get }

  /// Begins on a new channel.
  ///
  /// - Returns: the frames that it sends unprompted.
  mutating func open() -> [[UInt8]]

  /// Takes a frame of the phone's, or bytes that are none.
  ///
  /// - Returns: the frames that it answers.
  mutating func respond(to frame: Bytes) -> [[UInt8]]
}

extension VirtualSerialHeadphone {
  /// Nil: its service is its maker's own.
  public var vendor: UInt16? { nil }

  /// Nil: its service has a record.
  public var channel: UInt8? { nil }

  /// Sends nothing before it is asked.
  public mutating func open() -> [[UInt8]] { [] }
}

/// A virtual headphone of any family that speaks over a serial channel.
public struct VirtualSerial: Hashable, Sendable {
  /// Nothing is answered any more.
  var isSilent = false
  /// The frames that came while it was silent.
  private(set) var ignored: [Bytes] = []
  /// The headphone's present state.
  public internal(set) var headphone: any VirtualSerialHeadphone
  /// Cuts the phone's stream into frames.
  private var reader: FrameReader

  /// Creates the channel's side of a headphone, before a phone has opened it.
  public init(_ headphone: any VirtualSerialHeadphone) {
    self.headphone = headphone
    reader = FrameReader(headphone.format)
  }

  public static func == (a: VirtualSerial, b: VirtualSerial) -> Bool {
    a.isSilent == b.isSilent && AnyHashable(a.headphone) == AnyHashable(b.headphone)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(headphone)) }

  /// Begins on a new channel: half a frame of the one before is dropped.
  mutating func open() -> [[UInt8]] {
    reader = FrameReader(headphone.format)
    return isSilent ? [] : headphone.open()
  }

  mutating func respond(to piece: Bytes) -> [[UInt8]] {
    var responses: [[UInt8]] = []
    for frame in reader.messages(in: piece) {
      if isSilent { ignored.append(frame) } else { responses += headphone.respond(to: frame) }
    }
    return responses
  }
}
