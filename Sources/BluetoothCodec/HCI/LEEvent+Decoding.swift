extension LEEvent {
  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    reader.what = "LE Meta event"
    let subevent = try reader.uint8()
    switch subevent {
    case LEEventCode.connectionComplete:
      reader.what = "LE Connection Complete"
      let head = try LEConnection.Head(&reader)
      self = .connectionComplete(try LEConnection(head, &reader))
    case LEEventCode.enhancedConnectionComplete:
      reader.what = "LE Enhanced Connection Complete"
      let head = try LEConnection.Head(&reader)
      let privacy = LEConnectionPrivacy(
        local: try reader.address(), peer: try reader.address())
      self = .enhancedConnectionComplete(try LEConnection(head, &reader), privacy)
    case LEEventCode.connectionUpdateComplete:
      reader.what = "LE Connection Update Complete"
      self = .connectionUpdateComplete(
        try reader.status(), connection: try reader.uint16(), try LEConnectionTiming(&reader))
    case LEEventCode.dataLengthChange:
      reader.what = "LE Data Length Change"
      self = .dataLengthChange(connection: try reader.uint16(), try LEDataLength(&reader))
    case LEEventCode.phyUpdateComplete:
      reader.what = "LE PHY Update Complete"
      self = .phyUpdateComplete(
        try reader.status(), connection: try reader.uint16(),
        transmit: PHY(rawValue: try reader.uint8()), receive: PHY(rawValue: try reader.uint8()))
    case LEEventCode.advertisingReport:
      reader.what = "LE Advertising Report"
      self = .advertisingReports(
        try Self.reports(&reader) { reader throws(MalformedBytes) in
          try AdvertisingReport(legacy: &reader)
        })
    case LEEventCode.extendedAdvertisingReport:
      reader.what = "LE Extended Advertising Report"
      self = .extendedAdvertisingReports(
        try Self.reports(&reader) { reader throws(MalformedBytes) in
          try AdvertisingReport(extended: &reader)
        })
    default: self = .other(subevent: subevent, reader.rest())
    }
  }

  /// Decodes a count of one byte and that many reports, leaving out those of a reserved type.
  private static func reports(
    _ reader: inout ByteReader,
    _ decode: (inout ByteReader) throws(MalformedBytes) -> AdvertisingReport?
  ) throws(MalformedBytes) -> [AdvertisingReport] {
    let count = try reader.uint8()
    var reports: [AdvertisingReport] = []
    for _ in 0..<count {
      if let report = try decode(&reader) { reports.append(report) }
    }
    return reports
  }
}

extension LEConnection {
  fileprivate struct Head {
    var status: HCIStatus
    var connection: UInt16
    var isPeripheral: Bool
    var peerType: PeerAddressType
    var peer: BluetoothAddress

    init(_ reader: inout ByteReader) throws(MalformedBytes) {
      status = try reader.status()
      connection = try reader.uint16()
      isPeripheral = try reader.bool()
      peerType = PeerAddressType(rawValue: try reader.uint8())
      peer = try reader.address()
    }
  }

  fileprivate init(_ head: Head, _ reader: inout ByteReader) throws(MalformedBytes) {
    self.init(
      status: head.status, connection: head.connection, isPeripheral: head.isPeripheral,
      peerType: head.peerType, peer: head.peer, timing: try LEConnectionTiming(&reader),
      centralClockAccuracy: try reader.uint8())
  }
}

extension LEDataLength {
  fileprivate init(_ reader: inout ByteReader) throws(MalformedBytes) {
    transmitOctets = try reader.uint16()
    transmitTime = try reader.uint16()
    receiveOctets = try reader.uint16()
    receiveTime = try reader.uint16()
  }
}
