/// The lengths of frames that are worth trying, by the link-layer packets that are in use.
enum FrameLengths {
  /// Bytes of a link-layer packet and how usual it is: the longest, the shortest, which is all that
  /// there is without data length extension, and one between (Core 5.4, Vol 6, Part B, 4.5.10).
  static let packets: [(length: Int, share: Double)] = [(251, 0.5), (27, 0.2), (185, 0.3)]
  /// L2CAP's and ATT's headers before a frame; bytes.
  private static let headers = 7

  /// The lengths that fill some packet; bytes with the frame's offset.
  static func upTo(_ longest: Int) -> [Int] {
    let fitting = packets.map { packet in
      longest + headers < packet.length
        ? longest : (longest + headers) / packet.length * packet.length - headers
    }
    let lengths = Set(fitting.filter { $0 > FirmwareFrame.headerLength }).sorted()
    return lengths.isEmpty ? [longest] : lengths
  }

  /// The longest that takes no more than so many bytes in packets of 27.
  static func fittingShortest(_ bytes: Int) -> Int { max(1, bytes / 27) * 27 - headers }

  /// Link-layer packets that a byte of the image takes in frames of a length.
  static func cost(of length: Int, in packet: Int) -> Double {
    let packets = (length + headers + packet - 1) / packet
    return Double(packets) / Double(max(1, length - FirmwareFrame.headerLength))
  }
}
