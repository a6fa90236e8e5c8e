internal import Bluetooth
internal import BluetoothCodec

/// A capture of one link's PDUs, as the HCI packets that would have carried them.
///
/// What a bearer does not know is invented: the connection handle, the timing, and packets large
/// enough for whole PDUs.
struct LinkCapture: BearerObserver {
  /// ATT's fixed channel (Core 5.4, Vol 3, Part A, 2.1).
  private static let attributeChannel: UInt16 = 0x0004
  /// The CID that stands for any BR/EDR channel, whose number a bearer does not know (Core 5.4, Vol
  /// 3, Part A, 2.1).
  static let firstDynamicChannel: UInt16 = 0x0040
  /// The boundary flag of a sent packet that starts a PDU (Core 5.4, Vol 4, Part E, 5.4.2).
  private static let firstSent: UInt8 = 0b00
  /// The boundary flag of a received packet that starts a PDU.
  private static let firstReceived: UInt8 = 0b10

  /// The connection handle in the file.
  let connection: UInt16
  let file: CaptureFile
  /// The CID in the file.
  var channel = Self.attributeChannel
  /// The source of the records' times.
  var time: @Sendable () -> BtsnoopTime = { .now }

  /// Writes the event that starts the link.
  func began(with peer: PeerAddress) {
    if peer.kind == .classic {
      let link = ClassicLink(connection: connection, peer: peer.address, kind: .acl)
      return append(
        .event(.connectionComplete(.success, link, isEncrypted: true)), isReceived: true)
    }
    let link = LEConnection(
      status: .success, connection: connection, isPeripheral: false,
      peerType: peer.kind == .public ? .public : .random, peer: peer.address,
      timing: LEConnectionTiming(interval: 24, latency: 0, supervisionTimeout: 42),
      centralClockAccuracy: 0)
    append(.event(.le(.connectionComplete(link))), isReceived: true)
  }

  func sent(_ pdu: Bytes) { append(packet(pdu, Self.firstSent), isReceived: false) }

  func received(_ pdu: Bytes) { append(packet(pdu, Self.firstReceived), isReceived: true) }

  func ended(_ reason: BearerClosed.Reason) {
    let event = HCIEvent.disconnectionComplete(
      .success, connection: connection, reason: HCIStatus(reason))
    append(.event(event), isReceived: true)
  }

  /// The ACL packet of a PDU: an L2CAP header of length and CID, then the PDU.
  private func packet(_ pdu: Bytes, _ boundary: UInt8) -> HCIPacket {
    var frame: [UInt8] = []
    frame.append(littleEndian: UInt16(truncatingIfNeeded: pdu.count))
    frame.append(littleEndian: channel)
    frame += pdu
    return .acl(ACLPacket(connection: connection, boundary: boundary, data: frame[...]))
  }

  /// Appends a packet; a PDU that does not fit into one cannot occur on a bearer.
  private func append(_ packet: HCIPacket, isReceived: Bool) {
    guard let bytes = try? packet.encoded() else { return }
    file.append(BtsnoopRecord(uart: bytes[...], isReceived: isReceived, time: time()))
  }
}

extension HCIStatus {
  /// The HCI reason that is closest to the end of a bearer.
  init(_ reason: BearerClosed.Reason) {
    self =
      switch reason {
      case .peer, .firmwareRestart: .remoteUserTerminated
      case .supervisionTimeout: .connectionTimeout
      case .micFailure: .micFailure
      case .connectTimeout: .failedToBeEstablished
      default: .localHostTerminated
      }
  }
}
