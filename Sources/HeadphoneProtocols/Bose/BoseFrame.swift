public import BluetoothCodec

/// A frame of Bose's headphones ("BMAP").
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 1 | block | group of functions: 0 product, 1 settings, 2 status, 31 modes |
/// | 1 | 1 | number | function within the block |
/// | 2 | 1 | flags | lower 4 bits: ``Operation``; upper 4: ``address`` |
/// | 3 | 1 | length n | bytes of the payload |
/// | 4 | n | payload | depends on the function |
///
/// Without a checksum or marker, only the lengths tell where a frame begins: after a lost byte,
/// the stream is misread until the channel is opened again. Recorded from QC35, QC45, NC 700 and
/// QC Ultra 2.
///
/// ```swift
/// BoseFrame(.init(0, 1), .get).encoded()  // 00 01 01 00: the protocol's version?
/// try BoseFrame(decoding: [0x02, 0x02, 0x03, 0x04, 0x5A, 0xFF, 0xFF, 0x00]).payload  // 90 %
/// ```
public struct BoseFrame: UniformFrame {
  /// The operation of a frame: 0 to 2 and 5 come from the phone, the others from the headphone.
  public enum Operation: UInt8, Hashable, Sendable, CaseIterable {
    /// Writes without an answer.
    case set = 0
    /// `get` and `setGet` lead to `status`, `start` to `processing` and `result`, any to `error`.
    case get, setGet, status, error, start, result, processing
  }

  /// The address of a value.
  public struct Function: Hashable, Sendable {
    /// The block, for example 1 for settings.
    public var block: UInt8
    /// The number within the block.
    public var number: UInt8

    public init(_ block: UInt8, _ number: UInt8) {
      self.block = block
      self.number = number
    }
  }

  /// Without a marker, any byte begins a frame, and only the length says where the frame ends.
  package static let format = FrameFormat(marker: [], length: .init(at: 3, adding: 4), longest: 259)

  public static let never: [NeverSent] = [
    NeverSent("03", "updates the firmware", source: "aaronsb/bosectl"),
    NeverSent("07 04", "switches the headphone off", source: "aaronsb/bosectl"),
    NeverSent("1F 09", "resets the modes", source: "aaronsb/bosectl"),
  ]

  public var function: Function
  public var operation: Operation
  /// The upper 4 bits of the flags (device and port), which are ignored.
  public var address: UInt8
  /// The payload, at most 255 bytes.
  public var payload: Bytes

  /// Creates a frame as a phone sends it; its payload is truncated to 255 bytes.
  public init(_ function: Function, _ operation: Operation, _ payload: [UInt8] = []) {
    self.function = function
    self.operation = operation
    address = 0
    self.payload = payload.prefix(Int(UInt8.max))
  }

  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Bose frame")
    function = Function(try reader.uint8(), try reader.uint8())
    let flags = try reader.uint8()
    guard let operation = Operation(rawValue: flags & 0x0F) else { throw reader.impossible(flags) }
    self.operation = operation
    address = flags & 0xF0
    payload = try reader.read(Int(try reader.uint8()))
    try reader.finish()
  }

  public func encoded() -> [UInt8] {
    Self.format.frame(
      around: [function.block, function.number, address | operation.rawValue, 0] + payload)
  }
}

// MARK: Errors

extension BoseFrame {
  /// The error for the code of an `error` frame.
  ///
  /// | code | error |
  /// | --- | --- |
  /// | 5, 20 | `refused(.notPermitted)` |
  /// | 1, 6 | `refused(.badPayload)` |
  /// | 7, 8, 10 | `refused(.wrongState)` |
  /// | other | `refused(.other(code))` |
  var refusal: HeadphoneError {
    switch payload.first ?? 0 {
    case 5, 20: .refused(.notPermitted)
    case 6, 1: .refused(.badPayload)
    case 7, 8, 10: .refused(.wrongState)
    case let code: .refused(.other(code))
    }
  }

  var isOfUnknownFunction: Bool { payload.first == 3 || payload.first == 4 }
}
