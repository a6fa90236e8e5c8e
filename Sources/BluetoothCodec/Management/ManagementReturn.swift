/// The return parameters of a management command.
///
/// | command | return parameters (octets) |
/// | --- | --- |
/// | Read Version | version (1), revision (2) |
/// | Read Index List | count (2), indices (2 each) |
/// | Read Controller Information | ``ControllerInformation`` (280) |
/// | those that set one setting | all settings (4) |
/// | Start and Stop Discovery | kinds (1) |
/// | those about a peer | peer (7) |
/// | Get Connections | count (2), peers (7 each) |
/// | Get Connection Information | peer (7), RSSI (1), power (1), maximum power (1) |
public enum ManagementReturn: Hashable, Sendable {
  /// The version of the kernel's management interface, such as 1 with revision 22.
  case version(UInt8, revision: UInt16)
  /// The indices of all configured controllers, 0 for hci0.
  case controllers([UInt16])
  case information(ControllerInformation)
  case settings(ManagementSettings)
  case discovery(DiscoveryKinds)
  case peer(ManagementPeer)
  case connections([ManagementPeer])
  /// The signal strength and transmit powers of a link in dBm, or nil where unavailable.
  case connectionInformation(ManagementPeer, rssi: Int8?, txPower: Int8?, maximumTxPower: Int8?)
  /// The return parameters of any other command or of a failure.
  case other(Bytes)

  init(of opcode: ManagementOpcode, _ reader: inout ByteReader) throws(MalformedBytes) {
    switch opcode {
    case .readVersion: self = .version(try reader.uint8(), revision: try reader.uint16())
    case .readIndexList:
      self = .controllers(
        try reader.list { reader throws(MalformedBytes) in try reader.uint16() })
    case .readControllerInformation: self = .information(try ControllerInformation(&reader))
    case .setPowered, .setConnectable, .setBondable, .setSecureSimplePairing, .setLE,
      .setSecureConnections:
      self = .settings(ManagementSettings(rawValue: try reader.uint32()))
    case .startDiscovery, .stopDiscovery:
      self = .discovery(DiscoveryKinds(rawValue: try reader.uint8()))
    case .disconnect, .pairDevice, .cancelPairDevice, .unpairDevice, .userConfirmationReply,
      .userConfirmationNegativeReply, .userPasskeyReply, .userPasskeyNegativeReply,
      .pinCodeReply, .pinCodeNegativeReply:
      self = .peer(try ManagementPeer(&reader))
    case .getConnections:
      self = .connections(
        try reader.list { reader throws(MalformedBytes) in try ManagementPeer(&reader) })
    case .getConnectionInformation:
      self = .connectionInformation(
        try ManagementPeer(&reader), rssi: try reader.power(), txPower: try reader.power(),
        maximumTxPower: try reader.power())
    default: self = .other(reader.rest())
    }
    try reader.finish()
  }

  func append(to bytes: inout [UInt8]) {
    switch self {
    case .version(let version, let revision):
      bytes.append(version)
      bytes.append(littleEndian: revision)
    case .controllers(let indices):
      bytes.append(list: indices) { $1.append(littleEndian: $0) }
    case .information(let information): information.append(to: &bytes)
    case .settings(let settings): bytes.append(littleEndian: settings.rawValue)
    case .discovery(let kinds): bytes.append(kinds.rawValue)
    case .peer(let peer): peer.append(to: &bytes)
    case .connections(let peers): bytes.append(list: peers) { $0.append(to: &$1) }
    case .connectionInformation(let peer, let rssi, let txPower, let maximumTxPower):
      peer.append(to: &bytes)
      for power in [rssi, txPower, maximumTxPower] { bytes.append(power: power) }
    case .other(let parameters): bytes += parameters
    }
  }
}
