import HeadphoneProtocols
import LinkSimulation
import Testing
import VirtualHeadphones

/// The sender's speed in simulated time, relative to the limit for any sender.
@Suite struct UpdateSpeedTests {
  static let size = 77831

  func run(
    _ link: LinkModel.Parameters, longestValue: Int = 182, isLengthKnown: Bool = true
  ) throws -> (ratio: Double, simulation: UpdateSimulation) {
    var simulation = UpdateExample.simulation(
      try UpdateExample.image(Self.size, block: FirmwareImage.usualBlockSize), over: link)
    simulation.longestValue = longestValue
    simulation.reportsPacketLength = isLengthKnown
    #expect(try simulation.run() == .installed(UpdateExample.new))
    #expect(simulation.link.dropped == 0, "\(link)")
    return (try #require(simulation.shareOfLimit), simulation)
  }

  /// - Parameter isLengthKnown: whether the controller reports the packet length.
  @Test(arguments: [true, false])
  func `on the reference link it takes at most 1.05 of 428 packets' time`(
    isLengthKnown: Bool
  ) throws {
    let simulation = try run(.reference, isLengthKnown: isLengthKnown).simulation
    let limit = Duration.microseconds(36250) * (428.0 / 6)
    #expect(try #require(simulation.transferTime) / limit <= 1.05)
    #expect(simulation.update.statistics.retransmitted == 0)
  }

  /// Cases of the links in `scripts/bench`: each number of packets with each length and loss, at
  /// one of the intervals, buffers and lengths of values.
  static let cases = [1, 2, 6, 12].flatMap { packets in
    [27, 185, 251].flatMap { length in [0, 0.02, 0.1].map { (packets, length, $0) } }
  }.enumerated().map { place, air in
    Case(
      link: LinkModel.Parameters(
        interval: .microseconds([7500, 15000, 36250, 60000][place % 4]), packetsPerEvent: air.0,
        packetLength: air.1, buffer: [4, 16, 64][place % 3], retransmission: air.2),
      longestValue: [182, 244, 514][(place + place / 3) % 3])
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var link: LinkModel.Parameters
    var longestValue: Int

    var testDescription: String { "values of \(longestValue) over \(link)" }

    /// Returns a case in which the headphone hears nothing for half a second, from this part on.
    func stalling(after part: Double) -> Case {
      var stalling = self
      let start = link.limit(bytes: size, longestValue: longestValue) * part
      stalling.link.stalls = [start..<start + .milliseconds(500)]
      return stalling
    }
  }

  @Test(arguments: cases)
  func `on other links it takes at most 1.05 of the limit where the packet length is known`(
    item: Case
  ) throws {
    #expect(try run(item.link, longestValue: item.longestValue).ratio <= 1.05)
  }

  /// Frames fill packets of the usual length if the controller does not report it.
  @Test(arguments: cases.filter { $0.link.packetLength == 251 })
  func `an unknown packet length costs nothing where it is the usual one`(item: Case) throws {
    let run = try run(item.link, longestValue: item.longestValue, isLengthKnown: false)
    #expect(run.ratio <= 1.05)
  }

  @Test(
    arguments: cases.enumerated().filter { $0.offset % 3 == 0 }.map {
      $1.stalling(after: [0.1, 0.3, 0.7][$0 / 3 % 3])
    }, [true, false])
  func `a stall of half a second costs no more than that on other links`(
    item: Case, isLengthKnown: Bool
  ) throws {
    guard isLengthKnown || item.link.packetLength == 251 else { return }
    let run = try run(item.link, longestValue: item.longestValue, isLengthKnown: isLengthKnown)
    #expect(run.ratio <= 1.15)
  }

  @Test(arguments: [100, 700, 1900])
  func `a headphone that stalls for half a second is sent nothing twice`(at start: Int) throws {
    var link = LinkModel.Parameters.reference
    link.stalls = [.milliseconds(start)..<Duration.milliseconds(start + 500)]
    let (ratio, simulation) = try run(link)
    #expect(ratio <= 1.10)
    #expect(simulation.update.statistics.retransmitted == 0)
  }

  /// Retransmissions depend on the seed, so the sender must not depend on one.
  @Test(arguments: 1...4)
  func `whatever the luck, a link of which one in ten is sent again takes at most 1.15`(
    seed: Int
  ) throws {
    let link = LinkModel.Parameters(
      interval: .milliseconds(15), packetsPerEvent: 6,
      buffer: seed.isMultiple(of: 2) ? 4 : 64, retransmission: 0.1, seed: UInt64(seed))
    #expect(try run(link, longestValue: 244, isLengthKnown: false).ratio <= 1.15)
  }

  @Test func `on a slow link no more waits than an acknowledgement can name`() throws {
    let link = LinkModel.Parameters(interval: .milliseconds(60), packetsPerEvent: 1, buffer: 64)
    let simulation = try run(link).simulation
    #expect(simulation.longestQueue <= 1 + UInt32.bitWidth)
  }
}
