internal import Bluetooth
internal import BluetoothCodec

/// Writes one link's PDUs as the HCI packets that would have carried them.
///
/// What no bearer sees is made up: the connection handle, and packets large enough for a whole PDU.
struct LinkCapture: BearerObserver {
  /// ATT's fixed channel (Core 5.4, Vol 3, Part A, 2.1).
  private static let attributeChannel: UInt16 = 0x0004
  /// Of a channel of BR/EDR no bearer sees the number (Core 5.4, Vol 3, Part A, 2.1).
  static let firstDynamicChannel: UInt16 = 0x0040
  /// Where a PDU starts: sent by the host, received by it (Core 5.4, Vol 4, Part E, 5.4.2).
  private static let firstSent: UInt8 = 0b00
  private static let firstReceived: UInt8 = 0b10

  let connection: UInt16
  let file: CaptureFile
  var channel = Self.attributeChannel
  var time: @Sendable () -> BtsnoopTime = { .now }

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

  private func packet(_ pdu: Bytes, _ boundary: UInt8) -> HCIPacket {
    var frame: [UInt8] = []
    frame.append(littleEndian: UInt16(truncatingIfNeeded: pdu.count))
    frame.append(littleEndian: channel)
    frame += pdu
    return .acl(ACLPacket(connection: connection, boundary: boundary, data: frame[...]))
  }

  /// No bearer carries a PDU that does not fit.
  private func append(_ packet: HCIPacket, isReceived: Bool) {
    guard let bytes = try? packet.encoded() else { return }
    file.append(BtsnoopRecord(uart: bytes[...], isReceived: isReceived, time: time()))
  }
}

extension HCIStatus {
  /// The HCI reason that comes nearest to why a bearer closed.
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
