public import BluetoothCodec

/// A frame of QCY's earbuds: `FF length` and blocks of `command length parameters`, without a
/// checksum.
public struct QCYFrame: UniformFrame {
  /// A command with its parameters.
  public struct Block: Hashable, Sendable {
    /// The number of the block; FE requests another block.
    public var command: UInt8
    /// The parameters, at most 253 bytes.
    public var parameters: Bytes
  }

  package static let format = FrameFormat(
    marker: [0xFF], length: .init(at: 0, adding: 2), longest: 257)

  /// The blocks, in order.
  public private(set) var blocks: [Block]

  /// Creates a frame with one block, truncating its parameters to 253 bytes.
  public init(_ command: UInt8, _ parameters: [UInt8]) {
    blocks = [Block(command: command, parameters: parameters.prefix(253))]
  }

  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let what = "QCY frame"
    var reader = ByteReader(try Self.format.content(of: bytes, what), of: what)
    _ = try reader.uint8()
    blocks = []
    while !reader.isAtEnd {
      let command = try reader.uint8()
      blocks.append(
        Block(command: command, parameters: try reader.read(Int(try reader.uint8()))))
    }
  }

  public func encoded() -> [UInt8] {
    Self.format.frame(
      around: [0] + blocks.flatMap { [$0.command, UInt8($0.parameters.count)] + $0.parameters })
  }
}
