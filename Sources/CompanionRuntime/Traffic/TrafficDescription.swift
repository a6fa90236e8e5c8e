internal import BluetoothCodec
internal import Companion
internal import HeadphoneProtocols

/// A PDU as one line of the log.
///
/// ```
/// sent Write Request to 0031, command       [command 20, sequence 7, 9 bytes]
/// ```
struct TrafficDescription: Hashable {
  /// `debug` for commands, events and errors, otherwise `trace`.
  var level: LogLine.Level = .trace
  var text: String
  var packet: PacketDetail

  /// Describes a PDU; `isAttributes` is false for one that is not of ATT.
  init(_ pdu: Bytes, isSent: Bool, isAttributes: Bool = true) {
    let arrow = isSent ? "sent" : "heard"
    packet = PacketDetail(bytes: Array(pdu))
    guard isAttributes, let first = pdu.first else {
      text = arrow
      return
    }
    text = "\(arrow) \(ATTOpcode(rawValue: first))"
    hideCode(in: pdu)
    if isSent {
      report(try? ATTClientPDU(decoding: pdu))
    } else {
      report(try? ATTServerPDU(decoding: pdu))
    }
  }

  private mutating func report(_ pdu: ATTClientPDU?) {
    switch pdu {
    case .request(.read(let handle)), .request(.readBlob(let handle, _)):
      text += " of \(handleText(handle))"
    case .request(.write(let handle, let value)), .command(.write(let handle, let value)):
      text += " to \(handleText(handle))"
      report(value)
    case nil: reportMalformed()
    default: break
    }
  }

  private mutating func report(_ pdu: ATTServerPDU?) {
    switch pdu {
    case .notification(let value), .indication(let value):
      text += " of \(handleText(value.handle))"
      level = .debug
      report(value.value)
    case .response(.error(let error)):
      // Attribute Not Found ends every discovery, and is no error to a reader.
      if error.code != .attributeNotFound { level = .debug }
      packet.error = "\(error)"
    case nil: reportMalformed()
    default: break
    }
  }

  /// Replaces a broadcast code by zeros: it must not be in any log.
  private mutating func hideCode(in pdu: Bytes) {
    let hasHandle: Set<UInt8> = [0x12, 0x52, 0x1B, 0x1D]
    let start = pdu.first.map(hasHandle.contains) == true ? 3 : 1
    guard let code = BroadcastSecrets.range(in: pdu.dropFirst(start)) else { return }
    for offset in code where packet.bytes.indices.contains(start + offset) {
      packet.bytes[start + offset] = 0
    }
  }

  private mutating func reportMalformed() {
    level = .debug
    packet.error = "malformed"
  }

  /// Describes a packet of the command channel (docs/protocol.md section 5).
  private mutating func report(_ value: Bytes) {
    guard value.count > HeadphonePacket.headerLength, value.first == HeadphonePacket.marker else {
      return
    }
    level = .debug
    let start = value.startIndex
    packet.command = value[start + 2]
    packet.sequence = value[start + 3]
    let flags = HeadphonePacket.Flags(rawValue: value[start + 4])
    text += flags.contains(.response) ? ", response" : ", command"
    if flags.isSuperset(of: [.response, .error]), value[start + 5] > 0 {
      packet.error = HeadphoneStatus(code: value[start + 6]).displayText
    }
  }
}

extension TrafficDescription {
  init(_ passed: TrafficObserver.Passed) {
    self.init(passed.pdu, isSent: passed.isSent, isAttributes: passed.isAttributes)
  }
}
