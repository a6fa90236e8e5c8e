package import BluetoothCodec

/// A packet of Google's remote procedure calls in the data of a frame.
package struct PixelBudsCall: Hashable, Sendable {
  package enum Kind: UInt64, Hashable, Sendable {
    case request = 0
    case response = 1
    case clientStream = 2
    case clientError = 4
    case serverError = 5
    case serverStream = 7
    case clientStreamEnd = 8
  }

  /// The methods; the raw values are the published hashes of their names.
  package enum Method: UInt32, Hashable, Sendable {
    case softwareInformation = 0x7199_FA44
    case subscribeToRuntime = 0xE61E_8290
    case subscribeToSettings = 0x2821_ADF5
    case readSetting = 0xAED0_AE51
    case writeSetting = 0x9E8C_9A1D
  }

  /// The hash of the service's name, maestro_pw.Maestro.
  private static let service: UInt32 = 0x7EDE_71EA
  /// The call number of the first request, sent while the channel is unknown.
  package static let firstCall: UInt64 = 0xFFFF_FFFF

  package var kind: Kind
  package var channel: UInt64
  package var method: Method?
  package var payload: ProtobufMessage
  /// The status of a response; 0 is success.
  package var status: UInt64 = 0
  package var call: UInt64?

  package init(
    _ kind: Kind, channel: UInt64, _ method: Method, _ payload: ProtobufMessage = ProtobufMessage(),
    call: UInt64?
  ) {
    self.kind = kind
    self.channel = channel
    self.method = method
    self.payload = payload
    self.call = call
  }

  /// Decodes a packet, or throws if `data` is not a packet of the service.
  package init(decoding data: Bytes) throws(MalformedBytes) {
    let message = try ProtobufMessage(decoding: data)
    guard let kind = Kind(rawValue: message.number(1) ?? 0), let channel = message.number(2),
      message.fixed32(3) == Self.service, let method = message.fixed32(4)
    else { throw MalformedBytes("Pixel Buds call", at: 0, .unknownType(message.number(1) ?? 0)) }
    self.kind = kind
    self.channel = channel
    self.method = Method(rawValue: method)
    payload = try message.message(5) ?? ProtobufMessage()
    status = message.number(6) ?? 0
    call = message.number(7)
  }

  package func encoded() -> [UInt8] {
    var fields: [(number: Int, value: ProtobufMessage.Value)] = []
    if kind != .request { fields.append((1, .varint(kind.rawValue))) }
    fields.append((2, .varint(channel)))
    fields.append((3, .fixed32(Self.service)))
    fields.append((4, .fixed32(method?.rawValue ?? 0)))
    if !payload.fields.isEmpty { fields.append((5, .bytes(payload.encoded()))) }
    if status != 0 { fields.append((6, .varint(status))) }
    if let call { fields.append((7, .varint(call))) }
    return ProtobufMessage(fields).encoded()
  }

  /// Returns the frame of the packet, with the address that belongs to the channel.
  package func frame(isFromPhone: Bool = true) -> PixelBudsFrame {
    // Case, left bud, its sensors, right bud, its sensors, for each of two clients on the phone.
    let peers: [UInt32] = [2, 3, 5, 4, 6]
    let index = Int(clamping: channel) - Self.firstChannel
    let peer = peers[max(0, index) % peers.count]
    let phone: UInt32 = index < peers.count ? 10 : 13
    let (source, target) = isFromPhone ? (phone, peer) : (peer, phone)
    return PixelBudsFrame(address: source << 6 | target << 10, data: encoded())
  }

  private static let firstChannel = 18
}
