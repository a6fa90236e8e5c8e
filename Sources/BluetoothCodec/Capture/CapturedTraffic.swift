/// The channels in a capture, with the messages on each, as a value.
///
/// It takes the records of a btsnoop file in order, assembles L2CAP fragments, follows the set-up
/// of channels, and decodes ATT, RFCOMM and service discovery.
///
/// ```swift
/// var file = try BtsnoopFile(bytes)
/// var traffic = CapturedTraffic()
/// while let record = try file.next() { traffic.receive(record, of: file.header.datalink) }
/// for channel in traffic.channels { print(channel.kind, channel.messages.count) }
/// ```
public struct CapturedTraffic: Sendable {
  /// An ACL link to a device.
  public struct Link: Hashable, Sendable {
    /// The device, or nil if the link was up before the capture began.
    public var peer: PeerAddress?
  }

  /// What a channel carries.
  public enum Kind: Hashable, Sendable {
    /// The value of an attribute, by its handle.
    case attribute(UInt16)
    /// An RFCOMM server channel.
    case serial(UInt8)
    /// An L2CAP channel, by its PSM.
    case packets(psm: UInt16)
    /// An L2CAP channel whose set-up is not in the capture, by its CID.
    case unknown(UInt16)
  }

  /// An attribute value that was read, written or notified, or a piece of a stream.
  public struct Message: Hashable, Sendable {
    public var time: BtsnoopTime
    public var isReceived: Bool
    /// The attribute value or the piece of a stream.
    public var bytes: Bytes
  }

  /// A channel and its messages.
  public struct Channel: Hashable, Sendable {
    /// The index of the link in ``CapturedTraffic/links``.
    public var link: Int
    public var kind: Kind
    /// The service, or nil if the capture does not have its discovery.
    public var service: BluetoothUUID?
    /// The characteristic, or nil if the capture does not have its discovery.
    public var characteristic: BluetoothUUID?
    /// The messages in the order of the capture.
    public var messages: [Message] = []
  }

  private struct Group {
    var range: ATTHandleRange
    var service: BluetoothUUID
  }

  private struct State {
    /// Incomplete L2CAP PDUs by `isReceived`.
    var begun: [Bool: Bytes] = [:]
    var channels = ConnectedChannels()
    var groups: [Group] = []
    var types: [UInt16: BluetoothUUID] = [:]
    /// The handle in the last Read request, and the type in the last Read By (Group) Type request.
    var read: UInt16?
    var asked: BluetoothUUID?
    var records: [UInt8] = []
  }

  /// The links, in the order in which they began.
  public private(set) var links: [Link] = []
  /// The channels, in the order of their first messages.
  public private(set) var channels: [Channel] = []
  /// The number of records, and of those that the capture truncated.
  public private(set) var (packets, truncated) = (0, 0)
  /// The times of the first and the last record, or nil without any.
  public private(set) var (start, end): (BtsnoopTime?, BtsnoopTime?)

  /// The index in `links` of each connection handle's current link.
  private var current: [UInt16: Int] = [:]
  private var states: [State] = []
  private var places: [Place: Int] = [:]

  private struct Place: Hashable {
    var link: Int
    var kind: Kind
  }

  /// L2CAP channels that carry sound, its control, or another program's protocol.
  private static let skipped: Set<UInt16> = [0x000F, 0x0011, 0x0013, 0x0017, 0x0019, 0x001B]
  private static let attributes: UInt16 = 0x001F
  /// The handles under which Qualcomm's and MediaTek's controllers send their logs as ACL data.
  private static let logs: Set<UInt16> = [0x0EDC, 0x05FE, 0x05FF]
  /// The greatest length of joined service records, in bytes.
  private static let longestRecords = 1 << 16

  public init() {}

  /// Takes the next record of a file with this datalink.
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

  /// Begins a link that no event announced, because it was up before the capture began.
  ///
  /// - Returns: The index of the link, or nil for what no link sends: a controller's log, a
  ///   fragment without a beginning, or an impossible channel.
  private mutating func begin(with packet: ACLPacket) -> Int? {
    guard !Self.logs.contains(packet.connection), packet.boundary != 1 else { return nil }
    var reader = ByteReader(packet.data, of: "L2CAP PDU")
    guard let length = try? reader.uint16(), let channel = try? reader.uint16(),
      (0x0001...0x0007).contains(channel) || channel >= 0x0040, reader.remaining <= Int(length)
    else { return nil }
    return begin(packet.connection, nil)
  }

  // MARK: L2CAP

  private mutating func receive(_ packet: ACLPacket, _ captured: CapturedPacket) {
    guard let link = current[packet.connection] ?? begin(with: packet) else { return }
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
    case 0x0001: states[link].channels.receive(signals: data, isReceived: isReceived)
    case 0x0004: receiveAttribute(message, link)
    case 0x0040...: receive(message, on: channel, of: link)
    default: break
    }
  }

  private mutating func receive(_ message: Message, on channel: UInt16, of link: Int) {
    let psm = states[link].channels.psm(of: channel, isReceived: message.isReceived)
    switch psm {
    case ServiceDiscovery.psm?: receiveRecords(message, link)
    case Self.attributes?: receiveAttribute(message, link)
    case let psm? where Self.skipped.contains(psm): break
    case RFCOMMFrame.psm?, nil:
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

  /// Joins the parts of service records (Core 5.4, Vol 3, Part B, 4.7) and names serial channels.
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

  private var services: [Place: BluetoothUUID] = [:]

  // MARK: ATT

  private mutating func receiveAttribute(_ message: Message, _ link: Int) {
    // The phone is the client: what a headphone requests of the phone is ignored.
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
    // A declaration has properties, the handle of the value, and its type.
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

  /// Names the channels of a link again after a discovery, which may follow their first messages.
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
