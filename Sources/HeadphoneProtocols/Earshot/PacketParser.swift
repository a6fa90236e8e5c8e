public import BluetoothCodec

/// A parser of packets in a byte stream, which may be split anywhere and contain garbage.
///
/// After a wrong checksum, it skips one byte and looks for the next A5. It buffers one packet.
public struct PacketParser: Hashable, Sendable {
  /// A whole packet, or bytes between packets.
  public enum Item: Hashable, Sendable {
    case packet(HeadphonePacket)
    /// Bytes that belong to no packet.
    case skipped(Bytes)
  }

  private var held: [UInt8] = []

  public init() {}

  public var isWaiting: Bool { !held.isEmpty }

  /// Parses the next bytes, split anywhere.
  public mutating func receive(_ bytes: Bytes) -> [Item] {
    held += bytes
    return parseHeld(isEnd: false)
  }

  /// Gives up an incomplete packet: its first byte is skipped, and the rest is parsed again.
  public mutating func finish() -> [Item] { parseHeld(isEnd: true) }

  private mutating func parseHeld(isEnd: Bool) -> [Item] {
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
