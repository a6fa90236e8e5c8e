/// The channels of a capture, with the messages on each.
///
/// A value without I/O that takes the records of a btsnoop file in order. It assembles L2CAP's
/// fragments, follows the set-up of its channels, and looks into ATT, RFCOMM and service discovery.
///
/// ```swift
/// var file = try BtsnoopFile(bytes)
/// var traffic = CapturedTraffic()
/// while let record = try file.next() { traffic.receive(record, of: file.header.datalink) }
/// for channel in traffic.channels { print(channel.kind, channel.messages.count) }
/// ```
public struct CapturedTraffic: Sendable {
  /// A link of the capture.
  public struct Link: Hashable, Sendable {
    /// Nil: it was up before the capture began.
    public var peer: PeerAddress?
  }

  /// Where messages go.
  public enum Kind: Hashable, Sendable {
    /// The value of an attribute, by its handle.
    case attribute(UInt16)
    /// A server channel of RFCOMM.
    case serial(UInt8)
    /// A channel of L2CAP, by its PSM.
    case packets(psm: UInt16)
    /// A channel whose set-up is not in the capture, by its CID.
    case unknown(UInt16)
  }

  /// A value that was written or notified, or a piece of a stream.
  public struct Message: Hashable, Sendable {
    public var time: BtsnoopTime
    /// Whether the headphone sent it.
    public var isReceived: Bool
    /// A value as it was written or notified, or a piece of a stream.
    public var bytes: Bytes
  }

  /// A channel of a link.
  public struct Channel: Hashable, Sendable {
    /// Index in ``CapturedTraffic/links``.
    public var link: Int
    public var kind: Kind
    /// The service, where the capture has its discovery.
    public var service: BluetoothUUID?
    /// The same of a characteristic.
    public var characteristic: BluetoothUUID?
    /// In the order of the capture.
    public var messages: [Message] = []
  }

  /// The service of a range of handles.
  private struct Group {
    var range: ATTHandleRange
    var service: BluetoothUUID
  }

  /// What is known of a link while it is up.
  private struct State {
    /// L2CAP PDUs that have begun, of both directions.
    var begun: [Bool: Bytes] = [:]
    /// The PSM of channels, by the CID at either end: the receiver's is that of a PDU.
    var psms: [Bool: [UInt16: UInt16]] = [:]
    /// PSM and source CID of pending Connection Requests, by identifier and direction.
    var requested: [Bool: [UInt8: (psm: UInt16, cid: UInt16)]] = [:]
    /// The services of handles, and the types of values.
    var groups: [Group] = []
    var types: [UInt16: BluetoothUUID] = [:]
    /// What the last Read request, and the last one by type, asked for.
    var read: UInt16?
    var asked: BluetoothUUID?
    /// Parts of service records.
    var records: [UInt8] = []
  }

  /// The links in the order of their beginnings.
  public private(set) var links: [Link] = []
  /// The channels in the order of their first messages.
  public private(set) var channels: [Channel] = []
  /// Records, and those that were cut for the capture.
  public private(set) var (packets, truncated) = (0, 0)
  /// The times of the first and the last record.
  public private(set) var (start, end): (BtsnoopTime?, BtsnoopTime?)

  /// The number of the present link of each connection handle.
  private var current: [UInt16: Int] = [:]
  private var states: [State] = []
  private var places: [Place: Int] = [:]

  private struct Place: Hashable {
    var link: Int
    var kind: Kind
  }

  /// Channels of L2CAP that carry sound, its control, or another program's protocol.
  private static let skipped: Set<UInt16> = [0x000F, 0x0011, 0x0013, 0x0017, 0x0019, 0x001B]
  private static let (rfcomm, attributes): (UInt16, UInt16) = (0x0003, 0x001F)
  /// The longest service records that are kept, in bytes.
  private static let longestRecords = 1 << 16

  public init() {}

  /// Takes the next record.
  ///
  /// - Parameter datalink: of the file.
  public mutating func receive(_ record: BtsnoopRecord, of datalink: BtsnoopDatalink) {
    packets += 1
    if record.isTruncated { truncated += 1 }
    if start == nil { start = record.time }
    end = record.time
    guard let captured = record.packet(of: datalink) else { return }
    switch captured.packet {
    case .event(let event): receive(event)
    case .acl(let packet): receive(packet, captured)
    case .command, .audio: break
    }
  }

  private mutating func receive(_ event: HCIEvent) {
    switch event {
    case .connectionComplete(.success, let link, _) where link.kind == .acl:
      begin(link.connection, PeerAddress(link.peer, .classic))
    case .le(.connectionComplete(let link)), .le(.enhancedConnectionComplete(let link, _)):
      guard link.status == .success else { return }
      begin(link.connection, link.peerType.kind.map { PeerAddress(link.peer, $0) })
    case .disconnectionComplete(.success, let connection, _): current[connection] = nil
    default: break
    }
  }

  @discardableResult
  private mutating func begin(_ connection: UInt16, _ peer: PeerAddress?) -> Int {
    current[connection] = links.count
    links.append(Link(peer: peer))
    states.append(State())
    return links.count - 1
  }

  // MARK: L2CAP

  /// Assembles the fragments of a PDU (Core 5.4, Vol 3, Part A, 7.2).
  private mutating func receive(_ packet: ACLPacket, _ captured: CapturedPacket) {
    let link = current[packet.connection] ?? begin(packet.connection, nil)
    let isReceived = captured.isReceived
    let begun =
      packet.boundary == 1
      ? (states[link].begun[isReceived] ?? []) + packet.data : packet.data
    var reader = ByteReader(begun, of: "L2CAP PDU")
    guard let length = try? reader.uint16(), let channel = try? reader.uint16(),
      reader.remaining >= Int(length)
    else {
      states[link].begun[isReceived] = begun
      return
    }
    states[link].begun[isReceived] = nil
    guard let data = try? reader.read(Int(length)) else { return }
    let message = Message(time: captured.time, isReceived: isReceived, bytes: data)
    switch channel {
    case 0x0001: receiveSignal(message, link)
    case 0x0004: receiveAttribute(message, link)
    case 0x0040...: receive(message, on: channel, of: link)
    default: break
    }
  }

  /// Follows the set-up of channels (Core 5.4, Vol 3, Part A, 4.2, 4.3 and 4.6).
  private mutating func receiveSignal(_ message: Message, _ link: Int) {
    var reader = ByteReader(message.bytes, of: "L2CAP signal")
    let isReceived = message.isReceived
    while let code = try? reader.uint8(), let number = try? reader.uint8(),
      let length = try? reader.uint16(), var fields = try? reader.section(Int(length))
    {
      guard let first = try? fields.uint16(), let second = try? fields.uint16() else { continue }
      switch code {
      // Connection Request: PSM, source CID.
      case 0x02: states[link].requested[isReceived, default: [:]][number] = (first, second)
      // Connection Response: destination CID, source CID, result.
      case 0x03:
        guard (try? fields.uint16()) == 0,
          let asked = states[link].requested[!isReceived]?.removeValue(forKey: number)
        else { continue }
        states[link].psms[!isReceived, default: [:]][first] = asked.psm
        states[link].psms[isReceived, default: [:]][second] = asked.psm
      // Disconnection Request: CIDs of the receiver and of the sender.
      case 0x06:
        states[link].psms[isReceived]?[first] = nil
        states[link].psms[!isReceived]?[second] = nil
      default: break
      }
    }
  }

  /// A PDU of a channel that was set up, or was up before.
  private mutating func receive(_ message: Message, on channel: UInt16, of link: Int) {
    let psm = states[link].psms[message.isReceived]?[channel]
    switch psm {
    case ServiceDiscovery.psm?: receiveRecords(message, link)
    case Self.attributes?: receiveAttribute(message, link)
    case let psm? where Self.skipped.contains(psm): break
    case Self.rfcomm?, nil:
      if let frame = try? RFCOMMFrame(decoding: message.bytes) {
        guard frame.kind == .data, frame.connection > 0, !frame.data.isEmpty else { return }
        var piece = message
        piece.bytes = frame.data
        append(piece, .serial(frame.channel), link)
      } else if psm == nil {
        append(message, .unknown(channel), link)
      }
    case let psm?: append(message, .packets(psm: psm), link)
    }
  }

  /// Service records, whose parts are joined (Core 5.4, Vol 3, Part B, 4.7).
  private mutating func receiveRecords(_ message: Message, _ link: Int) {
    var reader = ByteReader(message.bytes, of: "service discovery answer")
    guard message.isReceived, (try? reader.uint8()) == 0x07, (try? reader.read(4)) != nil,
      let count = try? reader.uint16().byteSwapped, let part = try? reader.read(Int(count)),
      let rest = try? reader.uint8(),
      states[link].records.count + part.count <= Self.longestRecords
    else { return }
    states[link].records += part
    guard rest == 0 else { return }
    defer { states[link].records = [] }
    guard let records = try? ServiceDiscovery.records(in: states[link].records[...]) else { return }
    for record in records {
      guard let number = SerialChannel([record])?.number,
        let service = SerialChannel.services([record]).first
      else { continue }
      services[Place(link: link, kind: .serial(number))] = service
      if let index = places[Place(link: link, kind: .serial(number))] {
        channels[index].service = service
      }
    }
  }

  /// The services of serial channels that were discovered.
  private var services: [Place: BluetoothUUID] = [:]

  // MARK: ATT

  /// Values of attributes, and the discovery of their types.
  private mutating func receiveAttribute(_ message: Message, _ link: Int) {
    // The phone is the client; a headphone that asks for the phone's attributes is not looked at.
    if message.isReceived {
      guard let pdu = try? ATTServerPDU(decoding: message.bytes) else { return }
      switch pdu {
      case .notification(let item), .indication(let item): append(item, message, link)
      case .multipleNotifications(let items): for item in items { append(item, message, link) }
      case .response(let response): receive(response, message, link)
      }
    } else if let pdu = try? ATTClientPDU(decoding: message.bytes) {
      switch pdu {
      case .request(.write(let handle, let value)), .command(.write(let handle, let value)),
        .command(.signedWrite(let handle, let value, _)):
        append(ATTHandleValue(handle: handle, value: value), message, link)
      case .request(.read(let handle)): states[link].read = handle
      case .request(.readByType(_, let type)): states[link].asked = type
      case .request(.readByGroupType(_, let type)): states[link].asked = type
      default: break
      }
    }
  }

  private mutating func receive(_ response: ATTResponse, _ message: Message, _ link: Int) {
    switch response {
    case .readByGroupType(let groups) where states[link].asked == .bit16(0x2800):
      for group in groups {
        guard let uuid = try? BluetoothUUID(littleEndian: group.value) else { continue }
        states[link].groups.append(Group(range: group.range, service: uuid))
      }
      name(link)
    // A declaration: properties, handle of the value, type.
    case .readByType(let items) where states[link].asked == .bit16(0x2803):
      for item in items {
        var reader = ByteReader(item.value.dropFirst(), of: "characteristic declaration")
        guard let handle = try? reader.uint16(),
          let uuid = try? BluetoothUUID(littleEndian: reader.rest())
        else { continue }
        states[link].types[handle] = uuid
      }
      name(link)
    case .read(let value):
      guard let handle = states[link].read.take() else { return }
      append(ATTHandleValue(handle: handle, value: value), message, link)
    default: break
    }
  }

  /// Names the channels of a link, whose types were discovered after their first values.
  private mutating func name(_ link: Int) {
    for index in channels.indices where channels[index].link == link {
      name(&channels[index])
    }
  }

  private func name(_ channel: inout Channel) {
    guard case .attribute(let handle) = channel.kind else {
      channel.service = services[Place(link: channel.link, kind: channel.kind)]
      return
    }
    let state = states[channel.link]
    channel.characteristic = state.types[handle]
    channel.service =
      state.groups.last { ($0.range.start...max($0.range.start, $0.range.end)).contains(handle) }?
      .service
  }

  // MARK: Messages

  private mutating func append(_ item: ATTHandleValue, _ message: Message, _ link: Int) {
    var value = message
    value.bytes = item.value
    append(value, .attribute(item.handle), link)
  }

  private mutating func append(_ message: Message, _ kind: Kind, _ link: Int) {
    let place = Place(link: link, kind: kind)
    if let index = places[place] {
      channels[index].messages.append(message)
      return
    }
    places[place] = channels.count
    var channel = Channel(link: link, kind: kind, messages: [message])
    name(&channel)
    channels.append(channel)
  }
}
