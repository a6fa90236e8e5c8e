internal import FirmwareCrypto
internal import HeadphoneProtocols
internal import JSON
internal import LinkSimulation
internal import VirtualHeadphones

/// The duration of image transfers over simulated links, relative to the limit for any sender.
enum FirmwareSpeed {
  /// The image size in bytes and the number of packets of 182 bytes, as measured on a phone.
  private static let size = 77831
  private static let count = 428
  /// The goals relative to the limit: on the reference link, on others, and with a stall.
  private static let referenceGoal = 1.05
  private static let goal = 1.05
  private static let stallGoal = 1.15

  static func measure(_ table: (String) -> Void) throws -> [BenchResult] {
    let image = try image(size)
    let limit = LinkModel.Parameters.reference.interval * (Double(count) / 6)
    table("firmware, \(size) bytes over 36.25 ms, 6 packets an event, a buffer of 6:")
    table(row("strategy", "time", "of the limit", "lost", "sent again"))
    for (name, strategy) in strategies {
      let result = strategy.send(count: count, bytes: 182, over: .reference)
      table(row(name, seconds(result.time), ratio(result.time / limit), "\(result.lost)", "-"))
    }
    var results: [BenchResult] = []
    for isKnown in [true, false] {
      let run = try run(image, over: .reference, longestValue: 182, isLengthKnown: isKnown)
      let share = run.time / limit
      let name = "windowed, \(words(isKnown))"
      table(row(name, seconds(run.time), ratio(share), "\(run.lost)", "\(run.sentAgain)"))
      results.append(
        BenchResult(
          name: "firmware on the reference link, \(words(isKnown))",
          value: "\(ratio(share)) of the limit, \(run.lost) lost",
          goal: "at most \(ratio(referenceGoal)), none lost",
          verdict: share <= referenceGoal && run.lost == 0 ? .met : .missed,
          numbers: [.init("ofTheLimit", .number(share))]))
    }
    for isKnown in [true, false] {
      results += try grid(image, isLengthKnown: isKnown, table)
      results.append(try stalls(image, isLengthKnown: isKnown))
    }
    return results
  }

  private static func words(_ isLengthKnown: Bool) -> String {
    isLengthKnown ? "packet length known" : "packet length unknown"
  }

  private static let strategies: [(String, PlainSending)] = [
    ("with response", .withResponse), ("every 8 ms", .paced(every: .milliseconds(8))),
    ("every 6 ms", .paced(every: .milliseconds(6))),
    ("every 4 ms", .paced(every: .milliseconds(4))),
  ]

  private static func grid(
    _ image: FirmwareImage, isLengthKnown: Bool, _ table: (String) -> Void
  ) throws -> [BenchResult] {
    table("firmware on other links, \(words(isLengthKnown))")
    table("(7.5 to 60 ms, 1 to 12 packets, buffers 4 to 64,")
    table("packets of 27, 185 and 251 bytes, 0 to 10 % sent again by the link):")
    table(row("longest value", "links", "mean", "worst", "above \(ratio(goal))"))
    return try [182, 244, 514].map { longestValue in
      let runs = try links(isLengthKnown).map {
        try run(image, over: $0, longestValue: longestValue, isLengthKnown: isLengthKnown)
      }
      let ratios = runs.map(\.shareOfLimit)
      let worst = ratios.max() ?? 0
      let above = ratios.count { $0 > goal }
      table(
        row(
          "\(longestValue)", "\(ratios.count)",
          ratio(ratios.reduce(0, +) / Double(ratios.count)), ratio(worst), "\(above)"))
      let lost = runs.reduce(0) { $0 + $1.lost }
      return BenchResult(
        name: "firmware in values of \(longestValue), \(words(isLengthKnown))",
        value: "\(ratio(worst)) of the limit at worst, \(lost) lost",
        goal: "at most \(ratio(goal)), none lost", verdict: above == 0 && lost == 0 ? .met : .missed
      )
    }
  }

  /// Measures each link with one of the lengths, while the headphone receives nothing for 0.5 s.
  private static func stalls(
    _ image: FirmwareImage, isLengthKnown: Bool
  ) throws -> BenchResult {
    let goal = stallGoal
    var ratios: [Double] = []
    var lost = 0
    for (place, link) in links(isLengthKnown).enumerated() {
      let longestValue = [182, 244, 514][(place + place / 3) % 3]
      let start = link.limit(bytes: size, longestValue: longestValue) * [0.1, 0.3, 0.7][place % 3]
      var stalling = link
      stalling.stalls = [start..<start + .milliseconds(500)]
      let run = try run(
        image, over: stalling, longestValue: longestValue, isLengthKnown: isLengthKnown)
      ratios.append(run.shareOfLimit)
      lost += run.lost
    }
    let worst = ratios.max() ?? 0
    return BenchResult(
      name:
        "firmware with a stall of 500 ms on \(ratios.count) links, \(words(isLengthKnown))",
      value: "\(ratio(worst)) of the limit at worst, \(lost) lost",
      goal: "at most \(ratio(goal)), none lost",
      verdict: worst <= goal && lost == 0 ? .met : .missed,
      numbers: [.init("ofTheLimit", .number(worst))])
  }

  private static func links(_ isLengthKnown: Bool) -> [LinkModel.Parameters] {
    isLengthKnown ? links : links.filter { $0.packetLength == 251 }
  }

  private static let links: [LinkModel.Parameters] = [7500, 15000, 36250, 60000].flatMap {
    interval in
    [1, 2, 6, 12].flatMap { packets in
      [4, 16, 64].flatMap { buffer in
        [27, 185, 251].flatMap { length in
          [0, 0.02, 0.1].map { retransmission in
            LinkModel.Parameters(
              interval: .microseconds(interval), packetsPerEvent: packets, packetLength: length,
              buffer: buffer, retransmission: retransmission)
          }
        }
      }
    }
  }

  private struct Run {
    var time: Duration
    var shareOfLimit: Double
    var lost: Int
    var sentAgain: Int
  }

  private struct Failed: Error {
    var outcome: FirmwareOutcome
  }

  private static func run(
    _ image: FirmwareImage, over link: LinkModel.Parameters, longestValue: Int,
    isLengthKnown: Bool
  ) throws -> Run {
    let headphone = FirmwareReceiver(
      FirmwareReceiver.Setup(hardware: 1, keys: VirtualVendor.keys),
      running: FirmwareReceiver.Firmware(version: FirmwareVersion(1, 0, 0), securityCounter: 1))
    var simulation = UpdateSimulation(image, to: headphone, over: link)
    simulation.longestValue = longestValue
    simulation.reportsPacketLength = isLengthKnown
    let outcome = try simulation.run()
    guard case .installed = outcome, let time = simulation.transferTime,
      let share = simulation.shareOfLimit
    else {
      throw Failed(outcome: outcome)
    }
    return Run(
      time: time, shareOfLimit: share, lost: simulation.link.dropped,
      sentAgain: simulation.update.statistics.retransmitted)
  }

  private static func image(_ size: Int) throws -> FirmwareImage {
    try FirmwareImage(
      packing: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }, hardware: 1,
      version: FirmwareVersion(2, 0, 0), securityCounter: 2, key: VirtualVendor.key)
  }

  private static func row(_ columns: String...) -> String {
    "  "
      + columns.map { $0 + String(repeating: " ", count: max(1, 14 - $0.count)) }.joined()
  }

  private static func ratio(_ value: Double) -> String { hundredths(value) }

  private static func seconds(_ time: Duration) -> String {
    "\(hundredths(time / .seconds(1))) s"
  }
}
