/// What a management command returns, by its opcode.
public enum ManagementReturn: Hashable, Sendable {
  /// Of the kernel's management interface, for example 1 with revision 22.
  case version(UInt8, revision: UInt16)
  /// The indices of all controllers that are set up: 0 for hci0.
  case controllers([UInt16])
  case information(ControllerInformation)
  /// The settings after a command that sets one.
  case settings(ManagementSettings)
  /// The kinds that were started or stopped.
  case discovery(DiscoveryKinds)
  /// The peer that a command was about.
  case peer(ManagementPeer)
  /// The peers that have a link now, on BR/EDR and on LE.
  case connections([ManagementPeer])
  /// dBm; nil if not available.
  case connectionInformation(ManagementPeer, rssi: Int8?, txPower: Int8?, maximumTxPower: Int8?)
  /// The parameters of a command that is not listed here, or of a failure.
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
