public import BluetoothCodec
public import HeadphoneProtocols

/// A simulated headphone with a serial channel on its BR/EDR side, as a value.
///
/// ``VirtualSerial`` divides the stream into frames; the headphone ignores unknown frames.
public protocol VirtualSerialHeadphone: Hashable, Sendable {
  /// The service of the channel.
  var service: BluetoothUUID { get }

  /// The company in the Device ID record, or nil without a record.
  var vendor: UInt16? { get }

  /// The channel number, if no record names the service, or nil if a record does.
  var channel: UInt8? { get }

  /// The framing of the phone's frames.
  var format: FrameFormat { get }

  /// Starts a new channel, and returns the frames that are sent unprompted.
  mutating func open() -> [[UInt8]]

  /// Returns the frames that answer a frame of the phone, or bytes outside of frames.
  mutating func respond(to frame: Bytes) -> [[UInt8]]
}

extension VirtualSerialHeadphone {
  /// By default nil: the maker's own service needs no vendor.
  public var vendor: UInt16? { nil }

  /// By default nil: a record names the service.
  public var channel: UInt8? { nil }

  /// Sends nothing by default.
  public mutating func open() -> [[UInt8]] { [] }
}

/// A virtual headphone of any family with a serial channel.
public struct VirtualSerial: Hashable, Sendable {
  var isSilent = false
  private(set) var ignored: [Bytes] = []
  /// The headphone in its current state.
  public internal(set) var headphone: any VirtualSerialHeadphone
  private var reader: FrameReader

  /// Creates the channel of a headphone, before a phone has opened it.
  public init(_ headphone: any VirtualSerialHeadphone) {
    self.headphone = headphone
    reader = FrameReader(headphone.format)
  }

  public static func == (a: VirtualSerial, b: VirtualSerial) -> Bool {
    a.isSilent == b.isSilent && AnyHashable(a.headphone) == AnyHashable(b.headphone)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(headphone)) }

  /// Starts a new channel; an incomplete frame of the previous one is dropped.
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
