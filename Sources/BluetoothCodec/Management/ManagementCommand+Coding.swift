extension ManagementCommand {
  init(_ opcode: ManagementOpcode, _ reader: inout ByteReader) throws(MalformedBytes) {
    switch opcode {
    case .readVersion: self = .readVersion
    case .readIndexList: self = .readIndexList
    case .readControllerInformation: self = .readControllerInformation
    case .setPowered: self = .setPowered(try reader.bool())
    case .setConnectable: self = .setConnectable(try reader.bool())
    case .setBondable: self = .setBondable(try reader.bool())
    case .setSecureSimplePairing: self = .setSecureSimplePairing(try reader.bool())
    case .setLE: self = .setLE(try reader.bool())
    case .setSecureConnections:
      self = .setSecureConnections(try reader.choice(SecureConnections.self))
    case .loadLinkKeys:
      let acceptsDebugKeys = try reader.bool()
      let keys = try reader.list { reader throws(MalformedBytes) in try LinkKey(&reader) }
      self = .loadLinkKeys(keys, acceptsDebugKeys: acceptsDebugKeys)
    case .loadLongTermKeys:
      self = .loadLongTermKeys(
        try reader.list { reader throws(MalformedBytes) in try LongTermKey(&reader) })
    case .loadIdentityResolvingKeys:
      self = .loadIdentityResolvingKeys(
        try reader.list { reader throws(MalformedBytes) in try IdentityResolvingKey(&reader) })
    case .getConnections: self = .getConnections
    case .setIOCapability: self = .setIOCapability(try reader.choice(IOCapability.self))
    case .startDiscovery:
      self = .startDiscovery(DiscoveryKinds(rawValue: try reader.uint8()))
    case .stopDiscovery: self = .stopDiscovery(DiscoveryKinds(rawValue: try reader.uint8()))
    case .disconnect, .getConnectionInformation, .pairDevice, .cancelPairDevice, .unpairDevice,
      .userConfirmationReply, .userConfirmationNegativeReply, .userPasskeyReply,
      .userPasskeyNegativeReply, .pinCodeReply, .pinCodeNegativeReply:
      self = try Self.decode(opcode, about: try ManagementPeer(&reader), &reader)
    default: self = .other(opcode, reader.rest())
    }
  }

  private static func decode(
    _ opcode: ManagementOpcode, about peer: ManagementPeer, _ reader: inout ByteReader
  ) throws(MalformedBytes) -> ManagementCommand {
    switch opcode {
    case .disconnect: return .disconnect(peer)
    case .getConnectionInformation: return .getConnectionInformation(peer)
    case .pairDevice: return .pairDevice(peer, try reader.choice(IOCapability.self))
    case .cancelPairDevice: return .cancelPairDevice(peer)
    case .unpairDevice: return .unpairDevice(peer, disconnects: try reader.bool())
    case .pinCodeReply: return .pinCodeReply(peer, pin: try reader.pin())
    case .pinCodeNegativeReply: return .pinCodeNegativeReply(peer)
    case .userConfirmationReply: return .userConfirmationReply(peer)
    case .userConfirmationNegativeReply: return .userConfirmationNegativeReply(peer)
    case .userPasskeyReply: return .userPasskeyReply(peer, passkey: try reader.uint32())
    default: return .userPasskeyNegativeReply(peer)
    }
  }

  func append(to bytes: inout [UInt8]) {
    switch self {
    case .readVersion, .readIndexList, .readControllerInformation, .getConnections: break
    case .setPowered(let isOn), .setConnectable(let isOn), .setBondable(let isOn),
      .setSecureSimplePairing(let isOn), .setLE(let isOn):
      bytes.append(isOn ? 1 : 0)
    case .setSecureConnections(let mode): bytes.append(mode.rawValue)
    case .loadLinkKeys(let keys, let acceptsDebugKeys):
      bytes.append(acceptsDebugKeys ? 1 : 0)
      bytes.append(list: keys) { $0.append(to: &$1) }
    case .loadLongTermKeys(let keys): bytes.append(list: keys) { $0.append(to: &$1) }
    case .loadIdentityResolvingKeys(let keys): bytes.append(list: keys) { $0.append(to: &$1) }
    case .setIOCapability(let capability): bytes.append(capability.rawValue)
    case .startDiscovery(let kinds), .stopDiscovery(let kinds): bytes.append(kinds.rawValue)
    case .disconnect(let peer), .getConnectionInformation(let peer), .cancelPairDevice(let peer),
      .userConfirmationReply(let peer), .userConfirmationNegativeReply(let peer),
      .userPasskeyNegativeReply(let peer), .pinCodeNegativeReply(let peer):
      peer.append(to: &bytes)
    case .pinCodeReply(let peer, let pin):
      peer.append(to: &bytes)
      bytes.append(pin: pin)
    case .pairDevice(let peer, let capability):
      peer.append(to: &bytes)
      bytes.append(capability.rawValue)
    case .unpairDevice(let peer, let disconnects):
      peer.append(to: &bytes)
      bytes.append(disconnects ? 1 : 0)
    case .userPasskeyReply(let peer, let passkey):
      peer.append(to: &bytes)
      bytes.append(littleEndian: passkey)
    case .other(_, let parameters): bytes += parameters
    }
  }
}

extension ByteReader {
  fileprivate static let pinField = 16

  fileprivate mutating func pin() throws(MalformedBytes) -> Bytes {
    let length = try uint8()
    guard (1...Self.pinField).contains(Int(length)) else {
      throw malformed(.badValue(UInt64(length)), at: offset - 1)
    }
    return try read(Self.pinField).prefix(Int(length))
  }

  mutating func list<Item>(
    _ decode: (inout ByteReader) throws(MalformedBytes) -> Item
  ) throws(MalformedBytes) -> [Item] {
    let count = try uint16()
    var items: [Item] = []
    for _ in 0..<count { items.append(try decode(&self)) }
    return items
  }
}

extension [UInt8] {
  fileprivate mutating func append(pin: Bytes) {
    let pin = pin.prefix(ByteReader.pinField)
    append(UInt8(pin.count))
    self += pin
    self += repeatElement(0, count: ByteReader.pinField - pin.count)
  }

  /// Appends a 16-bit count and the items; the packet's encoder reports a count that is too high.
  mutating func append<Item>(list items: [Item], _ encode: (Item, inout [UInt8]) -> Void) {
    append(littleEndian: UInt16(truncatingIfNeeded: items.count))
    for item in items { encode(item, &self) }
  }
}
