public import BluetoothCodec

/// A frame of Bose's headphones ("BMAP"): `block function flags length payload`, without a checksum.
public struct BoseFrame: Hashable, Sendable {
  /// What a frame asks for or says.
  public enum Operation: UInt8, Hashable, Sendable, CaseIterable {
    case set = 0
    case get, setGet, status, error, start, result, processing
  }

  /// What a frame is about: its block and its function in it.
  public struct Function: Hashable, Sendable {
    /// For example 1, settings.
    public var block: UInt8
    /// In the block.
    public var number: UInt8

    public init(_ block: UInt8, _ number: UInt8) {
      self.block = block
      self.number = number
    }

    /// By which its answer is known.
    var answer: AnswerID { AnswerID(UInt16(block) << 8 | UInt16(number)) }
  }

  /// Any byte begins a frame: where frames begin, only the length of the one before says.
  static let format = FrameFormat(marker: [], length: .init(at: 3, adding: 4), longest: 259)

  public var function: Function
  public var operation: Operation
  /// Device and port, of no meaning here: the upper four bits.
  public var address: UInt8
  /// At most 255 bytes.
  public var payload: Bytes

  /// A frame of the phone's.
  public init(_ function: Function, _ operation: Operation, _ payload: [UInt8] = []) {
    self.function = function
    self.operation = operation
    address = 0
    self.payload = payload.prefix(Int(UInt8.max))
  }

  /// - Throws: for an operation that is not known, and a length that is not the frame's.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Bose frame")
    function = Function(try reader.uint8(), try reader.uint8())
    let flags = try reader.uint8()
    guard let operation = Operation(rawValue: flags & 0x0F) else { throw reader.impossible(flags) }
    self.operation = operation
    address = flags & 0xF0
    payload = try reader.take(Int(try reader.uint8()))
    try reader.finish()
  }

  /// The whole frame.
  public func encoded() -> [UInt8] {
    Self.format.frame(
      around: [function.block, function.number, address | operation.rawValue, 0] + payload)
  }
}
