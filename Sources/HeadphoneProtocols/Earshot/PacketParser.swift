public import BluetoothCodec

/// Finds packets in a stream of bytes that may be cut anywhere and may hold garbage.
///
/// Looks for A5, reads the header, waits for the rest, checks the sum; on failure it skips one byte
/// and looks for the next A5. It never keeps more than one packet's length.
public struct PacketParser: Hashable, Sendable {
  /// What the stream held, in order.
  public enum Item: Hashable, Sendable {
    /// Whole, with a checksum that is right.
    case packet(HeadphonePacket)
    /// Bytes that belong to no packet.
    case skipped(Bytes)
  }

  private var held: [UInt8] = []

  public init() {}

  /// Whether the beginning of a packet waits for its rest.
  public var isWaiting: Bool { !held.isEmpty }

  /// Takes bytes in any portion.
  public mutating func receive(_ bytes: Bytes) -> [Item] {
    held += bytes
    return takeItems(isEnd: false)
  }

  /// Gives up waiting for the rest of a packet: its first byte is skipped, the rest is looked at
  /// again, and nothing is kept.
  public mutating func finish() -> [Item] { takeItems(isEnd: true) }

  private mutating func takeItems(isEnd: Bool) -> [Item] {
    var items: [Item] = []
    var position = 0
    var garbage = 0
    while position < held.count {
      guard let length = packetLength(at: position) else {
        if isEnd || held[position] != HeadphonePacket.marker {
          position += 1
          continue
        }
        break
      }
      guard let packet = packet(at: position, length: length) else {
        position += 1
        continue
      }
      if garbage < position { items.append(.skipped(held[garbage..<position])) }
      items.append(.packet(packet))
      position += length
      garbage = position
    }
    if garbage < position { items.append(.skipped(held[garbage..<position])) }
    held.removeFirst(position)
    return items
  }

  /// The length of the packet that begins here, if all of it is held.
  private func packetLength(at position: Int) -> Int? {
    guard held[position] == HeadphonePacket.marker,
      held.count - position >= HeadphonePacket.headerLength
    else { return nil }
    let length = HeadphonePacket.headerLength + Int(held[position + 5]) + 1
    return held.count - position >= length ? length : nil
  }

  private func packet(at position: Int, length: Int) -> HeadphonePacket? {
    let end = position + length - 1
    guard HeadphonePacket.checksum(of: held[position..<end]) == held[end] else { return nil }
    return HeadphonePacket(
      version: held[position + 1], command: CommandID(rawValue: held[position + 2]),
      sequence: held[position + 3], flags: .init(rawValue: held[position + 4]),
      payload: held[(position + HeadphonePacket.headerLength)..<end])
  }
}
