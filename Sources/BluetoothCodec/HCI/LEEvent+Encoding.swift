extension LEEvent {
  func append(to bytes: inout [UInt8]) {
    bytes.append(subevent)
    switch self {
    case .connectionComplete(let connection): connection.append(to: &bytes, nil)
    case .enhancedConnectionComplete(let connection, let privacy):
      connection.append(to: &bytes, privacy)
    case .connectionUpdateComplete(let status, let connection, let timing):
      bytes.append(status.rawValue)
      bytes.append(littleEndian: connection)
      timing.append(to: &bytes)
    case .dataLengthChange(let connection, let length):
      bytes.append(littleEndian: connection)
      bytes.append(littleEndian: length.transmitOctets)
      bytes.append(littleEndian: length.transmitTime)
      bytes.append(littleEndian: length.receiveOctets)
      bytes.append(littleEndian: length.receiveTime)
    case .phyUpdateComplete(let status, let connection, let transmit, let receive):
      bytes.append(status.rawValue)
      bytes.append(littleEndian: connection)
      bytes.append(transmit.rawValue)
      bytes.append(receive.rawValue)
    case .advertisingReports(let reports):
      bytes.append(UInt8(truncatingIfNeeded: reports.count))
      for report in reports { report.appendLegacy(to: &bytes) }
    case .extendedAdvertisingReports(let reports):
      bytes.append(UInt8(truncatingIfNeeded: reports.count))
      for report in reports { report.appendExtended(to: &bytes) }
    case .other(_, let parameters): bytes += parameters
    }
  }

  private var subevent: UInt8 {
    switch self {
    case .connectionComplete: LEEventCode.connectionComplete
    case .enhancedConnectionComplete: LEEventCode.enhancedConnectionComplete
    case .connectionUpdateComplete: LEEventCode.connectionUpdateComplete
    case .dataLengthChange: LEEventCode.dataLengthChange
    case .phyUpdateComplete: LEEventCode.phyUpdateComplete
    case .advertisingReports: LEEventCode.advertisingReport
    case .extendedAdvertisingReports: LEEventCode.extendedAdvertisingReport
    case .other(let subevent, _): subevent
    }
  }
}

extension LEConnection {
  fileprivate func append(to bytes: inout [UInt8], _ privacy: LEConnectionPrivacy?) {
    bytes.append(status.rawValue)
    bytes.append(littleEndian: connection)
    bytes.append(isPeripheral ? 1 : 0)
    bytes.append(peerType.rawValue)
    bytes.append(peer)
    if let privacy {
      bytes.append(privacy.local)
      bytes.append(privacy.peer)
    }
    timing.append(to: &bytes)
    bytes.append(centralClockAccuracy)
  }
}
