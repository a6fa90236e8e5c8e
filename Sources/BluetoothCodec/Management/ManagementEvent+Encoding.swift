extension ManagementEvent {
  var code: UInt16 {
    switch self {
    case .commandComplete: ManagementEventCode.commandComplete
    case .commandStatus: ManagementEventCode.commandStatus
    case .controllerError: ManagementEventCode.controllerError
    case .indexAdded: ManagementEventCode.indexAdded
    case .indexRemoved: ManagementEventCode.indexRemoved
    case .newSettings: ManagementEventCode.newSettings
    case .newLinkKey: ManagementEventCode.newLinkKey
    case .newLongTermKey: ManagementEventCode.newLongTermKey
    case .newIdentityResolvingKey: ManagementEventCode.newIdentityResolvingKey
    case .newSignatureResolvingKey: ManagementEventCode.newSignatureResolvingKey
    case .deviceConnected: ManagementEventCode.deviceConnected
    case .deviceDisconnected: ManagementEventCode.deviceDisconnected
    case .connectFailed: ManagementEventCode.connectFailed
    case .pinCodeRequest: ManagementEventCode.pinCodeRequest
    case .userConfirmationRequest: ManagementEventCode.userConfirmationRequest
    case .userPasskeyRequest: ManagementEventCode.userPasskeyRequest
    case .passkeyNotify: ManagementEventCode.passkeyNotify
    case .authenticationFailed: ManagementEventCode.authenticationFailed
    case .deviceFound: ManagementEventCode.deviceFound
    case .discovering: ManagementEventCode.discovering
    case .deviceUnpaired: ManagementEventCode.deviceUnpaired
    case .other(let code, _): code
    }
  }

  func append(to bytes: inout [UInt8]) {
    switch self {
    case .commandComplete(let opcode, let status, let result):
      bytes.append(littleEndian: opcode.rawValue)
      bytes.append(status.rawValue)
      result.append(to: &bytes)
    case .commandStatus(let opcode, let status):
      bytes.append(littleEndian: opcode.rawValue)
      bytes.append(status.rawValue)
    case .controllerError(let code): bytes.append(code)
    case .indexAdded, .indexRemoved: break
    case .newSettings(let settings): bytes.append(littleEndian: settings.rawValue)
    case .newLinkKey(let key, let isToBeStored):
      bytes.append(isToBeStored ? 1 : 0)
      key.append(to: &bytes)
    case .newLongTermKey(let key, let isToBeStored):
      bytes.append(isToBeStored ? 1 : 0)
      key.append(to: &bytes)
    case .newIdentityResolvingKey(let key, let address, let isToBeStored):
      bytes.append(isToBeStored ? 1 : 0)
      bytes.append(address)
      key.append(to: &bytes)
    case .newSignatureResolvingKey(let key, let isToBeStored):
      bytes.append(isToBeStored ? 1 : 0)
      key.append(to: &bytes)
    case .discovering(let kinds, let isOn):
      bytes.append(kinds.rawValue)
      bytes.append(isOn ? 1 : 0)
    case .deviceConnected(let peer, let flags, let data):
      peer.append(to: &bytes)
      bytes.append(littleEndian: flags.rawValue)
      bytes.append(counted: data)
    case .deviceDisconnected(let peer, let reason):
      peer.append(to: &bytes)
      bytes.append(reason.rawValue)
    case .connectFailed(let peer, let status), .authenticationFailed(let peer, let status):
      peer.append(to: &bytes)
      bytes.append(status.rawValue)
    case .pinCodeRequest(let peer, let isSecure):
      peer.append(to: &bytes)
      bytes.append(isSecure ? 1 : 0)
    case .userConfirmationRequest(let peer, let value, let isHint):
      peer.append(to: &bytes)
      bytes.append(isHint ? 1 : 0)
      bytes.append(littleEndian: value)
    case .userPasskeyRequest(let peer), .deviceUnpaired(let peer): peer.append(to: &bytes)
    case .passkeyNotify(let peer, let passkey, let entered):
      peer.append(to: &bytes)
      bytes.append(littleEndian: passkey)
      bytes.append(entered)
    case .deviceFound(let peer, let rssi, let flags, let data):
      peer.append(to: &bytes)
      bytes.append(power: rssi)
      bytes.append(littleEndian: flags.rawValue)
      bytes.append(counted: data)
    case .other(_, let parameters): bytes += parameters
    }
  }
}
