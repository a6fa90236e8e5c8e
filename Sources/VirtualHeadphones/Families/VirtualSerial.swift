public import BluetoothCodec

/// A headphone with a serial channel on its audio side as a value: bytes go in, bytes come out.
public protocol VirtualSerialHeadphone: Hashable, Sendable {
  /// The service on whose channel it speaks.
  var service: BluetoothUUID { get }

  /// The company of its Device ID record; nil: it has none.
  var vendor: UInt16? { get }

  /// A channel was opened.
  ///
  /// - Returns: the frames that it sends unprompted.
  mutating func open() -> [[UInt8]]

  /// Takes a piece of the stream.
  ///
  /// - Returns: the frames that it answers.
  mutating func receive(_ piece: Bytes) -> [[UInt8]]
}

extension VirtualSerialHeadphone {
  /// Nil: its service is its maker's own.
  public var vendor: UInt16? { nil }

  /// Sends nothing before it is asked.
  public mutating func open() -> [[UInt8]] { [] }
}

/// A virtual headphone of any family that speaks over a serial channel.
public struct VirtualSerial: Hashable, Sendable {
  /// Nothing is answered any more.
  var isSilent = false
  /// As it is now.
  public internal(set) var headphone: any VirtualSerialHeadphone

  public init(_ headphone: any VirtualSerialHeadphone) { self.headphone = headphone }

  public static func == (a: VirtualSerial, b: VirtualSerial) -> Bool {
    a.isSilent == b.isSilent && AnyHashable(a.headphone) == AnyHashable(b.headphone)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(headphone)) }

  mutating func answer(_ piece: Bytes) -> [[UInt8]] {
    isSilent ? [] : headphone.receive(piece)
  }
}
