/// The lengths of frames that are worth trying, by the link-layer packets that are in use.
enum FrameLengths {
  /// Bytes of a link-layer packet and how usual it is: the longest, the shortest, which is all that
  /// there is without data length extension, and one between (Core 5.4, Vol 6, Part B, 4.5.10).
  private static let packets: [(length: Int, share: Double)] = [
    (251, 0.6), (27, 0.25), (185, 0.15),
  ]
  /// By how much a measured ratio is usually wrong.
  private static let measuringError = 0.15
  /// L2CAP's and ATT's headers before a frame; bytes.
  private static let headers = 7

  /// The lengths that fill some packet, the most promising first; bytes with the frame's offset.
  static func upTo(_ longest: Int) -> [Int] {
    let fitting = packets.map { packet in
      longest + headers < packet.length
        ? longest : (longest + headers) / packet.length * packet.length - headers
    }
    let lengths = Set(fitting.filter { $0 > FirmwareFrame.headerLength }).sorted()
    guard let first = lengths.first else { return [longest] }
    return lengths.sorted { expect($0, against: first) { $0 } > expect($1, against: first) { $0 } }
  }

  /// The longest that takes no more than so many bytes in packets of 27.
  static func fittingShortest(_ bytes: Int) -> Int { max(1, bytes / 27) * 27 - headers }

  /// What is to be expected of a function of how much more one length carries than another.
  ///
  /// - Parameter likely: how likely each of the packets is; as usual, if nothing is known.
  static func expect(
    _ length: Int, against other: Int, _ likely: [Double] = packets.map(\.share),
    _ value: (_ ratio: Double) -> Double
  ) -> Double {
    zip(packets, likely).reduce(0) { sum, packet in
      sum + packet.1 * value(ratio(length, to: other, in: packet.0.length))
    }
  }

  /// How likely each of the packets is, when some lengths have carried so much more than another.
  static func likelihoods(
    of measured: [(length: Int, ratio: Double)], against other: Int
  ) -> [Double] {
    let weights = packets.map { packet in
      measured.reduce(packet.share) { weight, measure in
        let expected = ratio(measure.length, to: other, in: packet.length)
        let error = (measure.ratio / expected - 1) / measuringError
        return weight / (1 + error * error * error * error)
      }
    }
    let sum = weights.reduce(0, +)
    return weights.map { $0 / sum }
  }

  /// How much more one length carries than another where it fits best.
  static func highestRatio(_ length: Int, to other: Int) -> Double {
    packets.map { ratio(length, to: other, in: $0.length) }.max() ?? 1
  }

  private static func ratio(_ length: Int, to other: Int, in packet: Int) -> Double {
    yield(of: length, packet) / yield(of: other, packet)
  }

  /// Bytes of the image in each link-layer packet.
  private static func yield(of length: Int, _ packet: Int) -> Double {
    let packets = (length + headers + packet - 1) / packet
    return Double(length - FirmwareFrame.headerLength) / Double(packets)
  }
}
