package import BluetoothCodec
package import BluetoothRadio

/// The peripherals that a scan has found, each with its advertisement and scan response merged.
///
/// The table is bounded, because anyone can send advertisements. Above the limit the peripheral
/// that was silent for longest is dropped, preferably one that the filters exclude.
package struct PeerTable: Sendable {
  static let limit = 512
  /// The shortest time between two reports that differ only in the RSSI.
  static let signalInterval: Duration = .seconds(1)

  private let options: ScanOptions
  private var peers: [Advertiser: PeerRecord] = [:]

  /// One advertising set of a device; a broadcast has a set to itself.
  private struct Advertiser: Hashable {
    var address: PeerAddress
    var set: UInt8?
  }

  package init(_ options: ScanOptions) { self.options = options }

  var count: Int { peers.count }

  /// Applies a report, and returns the peripheral to report, if any.
  ///
  /// A peripheral is reported if it passes the filters and is new, has changed, or has another RSSI
  /// after a second. O(1), or O(*n*) when a peripheral must be dropped.
  package mutating func receive(
    _ report: AdvertisingReport, at now: Duration, malformed: (MalformedBytes) -> Void
  ) -> DiscoveredPeripheral? {
    guard let address = report.peer else { return nil }
    let advertiser = Advertiser(address: address, set: report.set)
    var peer = peers.removeValue(forKey: advertiser) ?? PeerRecord()
    let isNew = peer.apply(report, malformed: malformed)
    peer.lastSeen = now
    defer {
      if peers.count >= Self.limit { forgetOne() }
      peers[advertiser] = peer
    }
    var peripheral = DiscoveredPeripheral(
      peer: address, rssi: peer.rssi, data: peer.data, isConnectable: peer.isConnectable)
    peripheral.advertisingSet = report.set
    peripheral.periodicInterval = peer.periodicInterval
    peer.isWanted = options.passes(peripheral)
    guard peer.isWanted, let reported = peer.lastReported, !isNew else {
      return emit(&peer, peripheral, at: now)
    }
    guard peer.rssi != peer.reportedRSSI, now - reported >= Self.signalInterval else { return nil }
    return emit(&peer, peripheral, at: now)
  }

  private func emit(
    _ peer: inout PeerRecord, _ peripheral: DiscoveredPeripheral, at now: Duration
  ) -> DiscoveredPeripheral? {
    guard peer.isWanted else { return nil }
    peer.lastReported = now
    peer.reportedRSSI = peer.rssi
    return peripheral
  }

  private mutating func forgetOne() {
    let oldest = peers.min { a, b in
      (a.value.isWanted ? 1 : 0, a.value.lastSeen) < (b.value.isWanted ? 1 : 0, b.value.lastSeen)
    }
    if let oldest { peers.removeValue(forKey: oldest.key) }
  }
}

private struct PeerRecord: Sendable {
  private var advertisement = PendingReport()
  private var scanResponse = PendingReport()
  private(set) var data = AdvertisingData()
  private(set) var isConnectable = false
  private(set) var rssi: Int8?
  /// The interval of periodic advertising in units of 1.25 ms, or 0 if there is none.
  private(set) var periodicInterval: UInt16 = 0
  var lastSeen: Duration = .zero
  var lastReported: Duration?
  var reportedRSSI: Int8?
  var isWanted = false

  mutating func apply(
    _ report: AdvertisingReport, malformed: (MalformedBytes) -> Void
  ) -> Bool {
    rssi = report.rssi
    if report.periodicInterval != 0 { periodicInterval = report.periodicInterval }
    let isResponse = report.properties.contains(.scanResponse)
    let wasConnectable = isConnectable
    if !isResponse { isConnectable = report.properties.contains(.connectable) }
    let isOther =
      isResponse
      ? scanResponse.apply(report, malformed: malformed)
      : advertisement.apply(report, malformed: malformed)
    guard isOther else { return isConnectable != wasConnectable }
    let before = data
    data = advertisement.data.merging(scanResponse.data)
    return data != before || isConnectable != wasConnectable
  }
}

private struct PendingReport: Sendable {
  /// The longest advertising data in bytes (Core 5.4, Vol 4, Part E, 7.8.54).
  private static let limit = 1650

  private(set) var data = AdvertisingData()
  private var bytes: Bytes = []
  private var partial: Bytes = []

  mutating func apply(
    _ report: AdvertisingReport, malformed: (MalformedBytes) -> Void
  ) -> Bool {
    let whole = partial.isEmpty ? report.data : partial + report.data
    guard report.dataStatus != .moreToCome else {
      partial = whole.count <= Self.limit ? Bytes(Array(whole)) : []
      return false
    }
    partial = []
    guard whole != bytes else { return false }
    bytes = Bytes(Array(whole))
    data = AdvertisingData(salvaging: bytes, malformed: malformed)
    return true
  }
}

extension AdvertisingData {
  /// Decodes the well-formed structures; a wrong length also loses all structures after it.
  init(salvaging bytes: Bytes, malformed: (MalformedBytes) -> Void) {
    do {
      self = try AdvertisingData(decoding: bytes)
      return
    } catch {
      malformed(error)
    }
    self.init()
    var rest = bytes
    while let length = rest.first, length > 0, rest.count > Int(length) {
      let structure = rest.prefix(Int(length) + 1)
      rest = rest.dropFirst(structure.count)
      if let sound = try? AdvertisingData(decoding: structure) { structures += sound.structures }
    }
  }
}
