internal import BluetoothCodec
internal import BluetoothRadio

/// A capture of one channel's PDUs, as the HCI packets that would have carried them.
///
/// The connection handle, CIDs, timing and packet sizes are made up, because a bearer does not know
/// them. The signals that connect a channel are written, too, since they tell what it carries.
struct LinkCapture: BearerObserver {
  enum Channel {
    case attributes
    case packets(psm: UInt16)
    /// An RFCOMM channel, and the service whose record names it, or nil for a known number.
    case serial(SerialChannel, of: BluetoothUUID?)
  }

  /// The CIDs of signalling, ATT and two dynamic channels (Core 5.4, Vol 3, Part A, 2.1).
  private static let (signals, attributes): (UInt16, UInt16) = (0x0001, 0x0004)
  private static let (first, second): (UInt16, UInt16) = (0x0040, 0x0041)
  /// The boundary flags of packets that start a PDU (Core 5.4, Vol 4, Part E, 5.4.2).
  private static let (sentFlag, receivedFlag): (UInt8, UInt8) = (0b00, 0b10)

  let connection: UInt16
  let file: CaptureFile
  var channel = Channel.attributes
  var time: @Sendable () -> BtsnoopTime = { .now }

  func began(with peer: PeerAddress) {
    switch channel {
    case .attributes:
      let link = LEConnection(
        status: .success, connection: connection, isPeripheral: false,
        peerType: peer.kind == .public ? .public : .random, peer: peer.address,
        timing: LEConnectionTiming(interval: 24, latency: 0, supervisionTimeout: 42),
        centralClockAccuracy: 0)
      append(.event(.le(.connectionComplete(link))), isReceived: true)
    case .packets(let psm):
      began(withClassic: peer.address)
      connect(psm, at: Self.first)
    case .serial(let serial, let service):
      began(withClassic: peer.address)
      if let service { discover(serial, of: service) }
      connect(RFCOMMFrame.psm, at: Self.second)
      for connection in [0, serial.connection] {
        append(RFCOMMFrame(.connect, on: connection, isCommand: true), isReceived: false)
        append(RFCOMMFrame(.accept, on: connection, isCommand: true), isReceived: true)
      }
    }
  }

  private func began(withClassic peer: BluetoothAddress) {
    let link = ClassicLink(connection: connection, peer: peer, kind: .acl)
    append(.event(.connectionComplete(.success, link, isEncrypted: true)), isReceived: true)
  }

  func sent(_ pdu: Bytes) { append(pdu, isReceived: false) }

  func received(_ pdu: Bytes) { append(pdu, isReceived: true) }

  func ended(_ reason: BearerClosed.Reason) {
    let event = HCIEvent.disconnectionComplete(
      .success, connection: connection, reason: HCIStatus(reason))
    append(.event(event), isReceived: true)
  }

  // MARK: Channels

  private func connect(_ psm: UInt16, at cid: UInt16) {
    signal(0x02, [psm, cid], isReceived: false)
    signal(0x03, [cid, cid, 0, 0], isReceived: true)
  }

  private func discover(_ serial: SerialChannel, of service: BluetoothUUID) {
    let question = ServiceDiscovery.serialServices(transaction: 1)
    connect(ServiceDiscovery.psm, at: Self.first)
    append(question.request[...], on: Self.first, isReceived: false)
    append(
      question.response(with: [serial.record(of: service)])[...], on: Self.first, isReceived: true)
    signal(0x06, [Self.first, Self.first], isReceived: false)
    signal(0x07, [Self.first, Self.first], isReceived: true)
  }

  private func signal(_ code: UInt8, _ fields: [UInt16], isReceived: Bool) {
    var pdu: [UInt8] = [code, 1]
    for field in [UInt16(fields.count * 2)] + fields { pdu.append(littleEndian: field) }
    append(pdu[...], on: Self.signals, isReceived: isReceived)
  }

  // MARK: Records

  private func append(_ pdu: Bytes, isReceived: Bool) {
    switch channel {
    case .attributes: append(pdu, on: Self.attributes, isReceived: isReceived)
    case .packets: append(pdu, on: Self.first, isReceived: isReceived)
    case .serial(let serial, _):
      var rest = pdu
      while !rest.isEmpty {
        let data = rest.prefix(RFCOMMFrame.longestData)
        rest = rest.dropFirst(data.count)
        let frame = RFCOMMFrame(
          .data, on: serial.connection, isCommand: !isReceived, data: data)
        append(frame, isReceived: isReceived)
      }
    }
  }

  private func append(_ frame: RFCOMMFrame, isReceived: Bool) {
    append(frame.encoded()[...], on: Self.second, isReceived: isReceived)
  }

  private func append(_ pdu: Bytes, on cid: UInt16, isReceived: Bool) {
    var frame: [UInt8] = []
    frame.append(littleEndian: UInt16(truncatingIfNeeded: pdu.count))
    frame.append(littleEndian: cid)
    frame += pdu
    let boundary = isReceived ? Self.receivedFlag : Self.sentFlag
    append(
      .acl(ACLPacket(connection: connection, boundary: boundary, data: frame[...])),
      isReceived: isReceived)
  }

  /// Appends a packet; a PDU that is too long to encode cannot occur on a bearer.
  private func append(_ packet: HCIPacket, isReceived: Bool) {
    guard let bytes = try? packet.encoded() else { return }
    file.append(BtsnoopRecord(uart: bytes[...], isReceived: isReceived, time: time()))
  }
}

extension SerialChannel {
  /// The Data Link Connection Identifier in a session that this host began (RFCOMM 1.2, 5.4).
  fileprivate var connection: UInt8 { number << 1 }
}

extension HCIStatus {
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
