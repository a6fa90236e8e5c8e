import BluetoothCodec
import Testing

extension AdvertisingReport {
  private static let bud = BluetoothAddress(value: 0xF0F1_F2F3_F4F5)

  static let samples: [Sample<HCIEvent>] =
    legacy + [
      Sample(
        """
        3E 1F 0D 01 1300 01 F5F4F3F2F1F0 01 00 FF 7F C4 0000 00 000000000000
        05 0409456172
        """,
        .le(
          .extendedAdvertisingReports([
            AdvertisingReport(
              [.connectable, .scannable], addressType: .random, address: bud, rssi: -60,
              data: hex("0409456172"))
          ]))),
      Sample(
        "3E 1D 0D 01 2500 FF 000000000000 03 02 0A F4 7F 5000 01 F5F4F3F2F1F0 03 020106",
        .le(.extendedAdvertisingReports([extended]))),
    ]

  private static let legacy = [
    Sample<HCIEvent>(
      "3E 11 02 01 00 01 F5F4F3F2F1F0 05 0409456172 C4",
      .le(
        .advertisingReports([
          AdvertisingReport(
            [.connectable, .scannable], addressType: .random, address: bud, rssi: -60,
            data: hex("0409456172"))
        ]))),
    Sample(
      "3E 16 02 02 03 00 F5F4F3F2F1F0 00 7F 04 01 F5F4F3F2F1F0 00 80",
      .le(
        .advertisingReports([
          AdvertisingReport([], addressType: .public, address: bud, rssi: nil, data: []),
          AdvertisingReport(
            [.scannable, .scanResponse], addressType: .random, address: bud, rssi: -128, data: []),
        ]))),
    Sample(
      "3E 16 02 02 01 01 F5F4F3F2F1F0 00 EC 02 02 F5F4F3F2F1F0 00 14",
      .le(
        .advertisingReports([
          AdvertisingReport(
            [.connectable, .directed], addressType: .random, address: bud, rssi: -20, data: []),
          AdvertisingReport(
            [.scannable], addressType: .publicIdentity, address: bud, rssi: 20, data: []),
        ]))),
  ]

  /// A directed, anonymous report on LE Coded, with more data to come.
  private static var extended: AdvertisingReport {
    var report = AdvertisingReport(
      [.connectable, .directed], addressType: .anonymous, address: BluetoothAddress(value: 0),
      rssi: nil, data: hex("020106"))
    report.properties.remove(.legacy)
    report.dataStatus = .moreToCome
    report.primaryPHY = .leCoded
    report.secondaryPHY = .le2M
    report.set = 10
    report.txPower = -12
    report.periodicInterval = 0x50
    report.targetType = .random
    report.target = bud
    return report
  }
}

@Suite struct AdvertisingReportTests {
  private func reports(_ digits: String) throws -> [AdvertisingReport] {
    switch try HCIEvent(decoding: hex(digits)) {
    case .le(.advertisingReports(let reports)), .le(.extendedAdvertisingReports(let reports)):
      return reports
    case let event:
      Issue.record("no reports in \(event)")
      return []
    }
  }

  @Test func `a legacy advertisement is the same in both kinds of report`() throws {
    let legacy = try reports("3E 11 02 01 00 01 F5F4F3F2F1F0 05 0409456172 C4")
    let extended = try reports(
      "3E 1F 0D 01 1300 01 F5F4F3F2F1F0 01 00 FF 7F C4 0000 00 000000000000 05 0409456172")
    #expect(legacy == extended)
    #expect(legacy.map(\.properties) == [[.legacy, .connectable, .scannable]])
  }

  @Test func `data are slices of the event`() throws {
    let bytes = hex("3E 11 02 01 00 01 F5F4F3F2F1F0 05 0409456172 C4")
    guard case .le(.advertisingReports(let reports)) = try HCIEvent(decoding: bytes) else {
      Issue.record("no reports")
      return
    }
    #expect(reports.map(\.data.indices) == [bytes.indices.suffix(6).dropLast()])
  }

  @Test(arguments: [
    ("00", AdvertisingDataStatus.complete), ("20", .moreToCome), ("40", .truncated),
  ])
  func `the data status is reported`(_ bits: String, _ status: AdvertisingDataStatus) throws {
    let found = try reports(
      "3E 1A 0D 01 \(bits)00 01 F5F4F3F2F1F0 01 01 00 7F C4 0000 00 000000000000 00")
    #expect(found.map(\.dataStatus) == [status])
  }

  @Test func `a report with a reserved data status is left out, the others stand`() throws {
    let found = try reports(
      """
      3E 32 0D 02 6000 01 F5F4F3F2F1F0 01 01 00 7F C4 0000 00 000000000000 00
      0000 01 F5F4F3F2F1F0 01 01 00 7F C4 0000 00 000000000000 00
      """)
    #expect(found.map(\.dataStatus) == [.complete])
  }

  @Test func `a report with a reserved event type is left out, the others stand`() throws {
    let found = try reports(
      "3E 1B 02 02 05 00 F5F4F3F2F1F0 05 0409456172 7F 04 01 F5F4F3F2F1F0 00 80")
    #expect(found.map(\.rssi) == [-128])
    #expect(try reports("3E 0C 02 01 77 00 F5F4F3F2F1F0 00 7F").isEmpty)
  }

  @Test(arguments: [
    (PeerAddressType.public, PeerAddress.Kind?.some(.public)), (.random, .random),
    (.publicIdentity, .public), (.randomIdentity, .random), (.anonymous, nil),
    (PeerAddressType(rawValue: 0x77), nil),
  ])
  func `a connection is made to an identity as to its plain kind`(
    _ type: PeerAddressType, _ kind: PeerAddress.Kind?
  ) {
    let address = BluetoothAddress(value: 0xC000_0000_0001)
    let report = AdvertisingReport(
      [.connectable], addressType: type, address: address, rssi: nil, data: [])
    #expect(report.peer == kind.map { PeerAddress(address, $0) })
  }
}
