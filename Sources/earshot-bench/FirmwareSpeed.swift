internal import HeadphoneProtocols
internal import VirtualHeadphones

/// How long an image takes over links in simulated time, against the time that nobody can beat.
enum FirmwareSpeed {
  /// As measured on a phone: 428 packets of 182 bytes.
  private static let size = 77831
  private static let count = 428

  static func measure() throws -> [BenchResult] {
    let image = try image(size)
    let limit = LinkModel.Parameters.reference.interval * (Double(count) / 6)
    print("firmware, \(size) bytes over 36.25 ms, 6 packets an event, a buffer of 6:")
    print(row("strategy", "time", "of the limit", "lost", "sent again"))
    for (name, strategy) in strategies {
      let result = strategy.send(count: count, bytes: 182, over: .reference)
      print(row(name, seconds(result.time), ratio(result.time / limit), "\(result.lost)", "-"))
    }
    let reference = try run(image, over: .reference, longestValue: 182)
    print(
      row(
        "adaptive", seconds(reference.time), ratio(reference.time / limit),
        "\(reference.lost)", "\(reference.sentAgain)"))
    let stalled = try stalls(image)
    let others = try grid(image) + [stalled]
    return [
      BenchResult(
        name: "firmware on the reference link",
        value: "\(ratio(reference.time / limit)) of the limit, \(reference.lost) lost",
        goal: "at most 1.05, none lost",
        isMet: reference.time / limit <= 1.05 && reference.lost == 0)
    ] + others
  }

  private static let strategies: [(String, PlainSending)] = [
    ("with response", .withResponse), ("every 8 ms", .paced(every: .milliseconds(8))),
    ("every 6 ms", .paced(every: .milliseconds(6))),
    ("every 4 ms", .paced(every: .milliseconds(4))),
  ]

  private static func grid(_ image: FirmwareImage) throws -> [BenchResult] {
    print("firmware on other links, adaptive (7.5 to 60 ms, 1 to 12 packets, buffers 4 to 64,")
    print("packets of 27, 185 and 251 bytes, 0 to 10 % sent again by the link):")
    print(row("longest value", "links", "mean", "worst", "above 1.10"))
    return try [182, 244, 514].map { longestValue in
      let runs = try links.map { try run(image, over: $0, longestValue: longestValue) }
      let ratios = runs.map(\.shareOfLimit)
      let worst = ratios.max() ?? 0
      let above = ratios.count { $0 > 1.1 }
      print(
        row(
          "\(longestValue)", "\(ratios.count)",
          ratio(ratios.reduce(0, +) / Double(ratios.count)), ratio(worst), "\(above)"))
      let lost = runs.reduce(0) { $0 + $1.lost }
      return BenchResult(
        name: "firmware in values of \(longestValue)",
        value:
          "\(ratio(worst)) of the limit at worst, \(above) of \(ratios.count) above 1.1, \(lost) lost",
        goal: "at most 1.1, none lost", isMet: above == 0 && lost == 0)
    }
  }

  /// Each link with one of the lengths, and with half a second in which the headphone hears
  /// nothing.
  private static func stalls(_ image: FirmwareImage) throws -> BenchResult {
    var ratios: [Double] = []
    var lost = 0
    for (place, link) in links.enumerated() {
      let longestValue = [182, 244, 514][(place + place / 3) % 3]
      let start = link.limit(bytes: size, longestValue: longestValue) * [0.1, 0.3, 0.7][place % 3]
      var stalling = link
      stalling.stalls = [start..<start + .milliseconds(500)]
      let run = try run(image, over: stalling, longestValue: longestValue)
      ratios.append(run.shareOfLimit)
      lost += run.lost
    }
    let worst = ratios.max() ?? 0
    return BenchResult(
      name: "firmware with a stall of 500 ms on each of \(ratios.count) links",
      value: "\(ratio(worst)) of the limit at worst, \(lost) lost",
      goal: "at most 1.1, none lost", isMet: worst <= 1.1 && lost == 0)
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

  // MARK: One update

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
    _ image: FirmwareImage, over link: LinkModel.Parameters, longestValue: Int
  ) throws -> Run {
    let headphone = FirmwareReceiver(
      FirmwareReceiver.Setup(hardware: 1, keys: VirtualVendor.keys),
      running: FirmwareReceiver.Firmware(version: FirmwareVersion(1, 0, 0), securityCounter: 1))
    var simulation = UpdateSimulation(image, to: headphone, over: link)
    simulation.longestValue = longestValue
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

  // MARK: Columns

  private static func row(_ columns: String...) -> String {
    "  "
      + columns.map { $0 + String(repeating: " ", count: max(1, 14 - $0.count)) }.joined()
  }

  private static func ratio(_ value: Double) -> String { hundredths(value) }

  private static func seconds(_ time: Duration) -> String {
    "\(hundredths(time / .seconds(1))) s"
  }
}
