extension ManagementEvent {
  init(_ code: UInt16, _ reader: inout ByteReader) throws(MalformedBytes) {
    switch code {
    case ManagementEventCode.commandComplete:
      let opcode = ManagementOpcode(rawValue: try reader.uint16())
      let status = ManagementStatus(rawValue: try reader.uint8())
      self = .commandComplete(opcode, status, try Self.result(of: opcode, status, &reader))
    case ManagementEventCode.commandStatus:
      self = .commandStatus(
        ManagementOpcode(rawValue: try reader.uint16()),
        ManagementStatus(rawValue: try reader.uint8()))
    case ManagementEventCode.controllerError: self = .controllerError(code: try reader.uint8())
    case ManagementEventCode.indexAdded: self = .indexAdded
    case ManagementEventCode.indexRemoved: self = .indexRemoved
    case ManagementEventCode.newSettings:
      self = .newSettings(ManagementSettings(rawValue: try reader.uint32()))
    case ManagementEventCode.newLinkKey:
      let isToBeStored = try reader.bool()
      self = .newLinkKey(try LinkKey(&reader), isToBeStored: isToBeStored)
    case ManagementEventCode.newLongTermKey:
      let isToBeStored = try reader.bool()
      self = .newLongTermKey(try LongTermKey(&reader), isToBeStored: isToBeStored)
    case ManagementEventCode.newIdentityResolvingKey:
      let isToBeStored = try reader.bool()
      let address = try reader.address()
      self = .newIdentityResolvingKey(
        try IdentityResolvingKey(&reader), from: address, isToBeStored: isToBeStored)
    case ManagementEventCode.newSignatureResolvingKey:
      let isToBeStored = try reader.bool()
      self = .newSignatureResolvingKey(
        try SignatureResolvingKey(&reader), isToBeStored: isToBeStored)
    case ManagementEventCode.discovering:
      self = .discovering(DiscoveryKinds(rawValue: try reader.uint8()), try reader.bool())
    case ManagementEventCode.deviceConnected, ManagementEventCode.deviceDisconnected,
      ManagementEventCode.connectFailed, ManagementEventCode.pinCodeRequest,
      ManagementEventCode.userConfirmationRequest,
      ManagementEventCode.userPasskeyRequest, ManagementEventCode.passkeyNotify,
      ManagementEventCode.authenticationFailed, ManagementEventCode.deviceFound,
      ManagementEventCode.deviceUnpaired:
      self = try Self.decode(code, about: try ManagementPeer(&reader), &reader)
    default: self = .other(code: code, reader.rest())
    }
  }

  private static func decode(
    _ code: UInt16, about peer: ManagementPeer, _ reader: inout ByteReader
  ) throws(MalformedBytes) -> ManagementEvent {
    switch code {
    case ManagementEventCode.deviceConnected:
      let flags = DeviceFlags(rawValue: try reader.uint32())
      return .deviceConnected(peer, flags, data: try reader.read(Int(try reader.uint16())))
    case ManagementEventCode.deviceDisconnected:
      return .deviceDisconnected(peer, DeviceDisconnectReason(rawValue: try reader.uint8()))
    case ManagementEventCode.connectFailed:
      return .connectFailed(peer, ManagementStatus(rawValue: try reader.uint8()))
    case ManagementEventCode.pinCodeRequest:
      return .pinCodeRequest(peer, isSecure: try reader.bool())
    case ManagementEventCode.userConfirmationRequest:
      let isHint = try reader.bool()
      return .userConfirmationRequest(peer, value: try reader.uint32(), isHint: isHint)
    case ManagementEventCode.userPasskeyRequest: return .userPasskeyRequest(peer)
    case ManagementEventCode.passkeyNotify:
      return .passkeyNotify(
        peer, passkey: try reader.uint32(), entered: try reader.uint8())
    case ManagementEventCode.authenticationFailed:
      return .authenticationFailed(peer, ManagementStatus(rawValue: try reader.uint8()))
    case ManagementEventCode.deviceFound:
      let rssi = try reader.power()
      let flags = DeviceFlags(rawValue: try reader.uint32())
      return .deviceFound(
        peer, rssi: rssi, flags, data: try reader.read(Int(try reader.uint16())))
    default: return .deviceUnpaired(peer)
    }
  }

  /// Decodes a command's return parameters; keeps the bytes of a failed one that lacks them.
  private static func result(
    of opcode: ManagementOpcode, _ status: ManagementStatus, _ reader: inout ByteReader
  ) throws(MalformedBytes) -> ManagementReturn {
    guard !status.isSuccess else { return try ManagementReturn(of: opcode, &reader) }
    var attempt = reader
    guard let result = try? ManagementReturn(of: opcode, &attempt) else {
      return .other(reader.rest())
    }
    reader = attempt
    return result
  }
}
