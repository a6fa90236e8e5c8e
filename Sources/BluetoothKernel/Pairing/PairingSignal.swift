internal import BluetoothCodec
internal import BluetoothRadio

enum PairingSignal: Hashable, Sendable {
  /// The kernel waits for an answer, or for digits to be typed on the headphone.
  case asks(ManagementPeer, PairingRequest)
  /// Pairing made a key; `from` is the device's private address if the key reveals its identity.
  case made(BondKey, from: BluetoothAddress?)
  /// Pairing failed, or the stored key did not encrypt the link.
  case failed(ManagementPeer, ManagementStatus)
  /// The link has ended, so its questions need no answer.
  case ended(ManagementPeer)

  init?(_ event: ManagementEvent) {
    switch event {
    case .userConfirmationRequest(let peer, _, isHint: true): self = .asks(peer, .consent)
    case .userConfirmationRequest(let peer, let value, isHint: false):
      guard let passkey = Passkey(value) else { return nil }
      self = .asks(peer, .compare(passkey))
    case .userPasskeyRequest(let peer): self = .asks(peer, .enter)
    case .passkeyNotify(let peer, let value, let entered):
      guard let passkey = Passkey(value) else { return nil }
      self = .asks(peer, .show(passkey, entered: Int(entered)))
    case .pinCodeRequest(let peer, _): self = .asks(peer, .enterPIN)
    case .newLongTermKey(let key, isToBeStored: true): self = .made(.longTerm(key), from: nil)
    case .newLinkKey(let key, isToBeStored: true): self = .made(.link(key), from: nil)
    case .newIdentityResolvingKey(let key, let address, isToBeStored: true):
      self = .made(.identityResolving(key), from: address)
    case .authenticationFailed(let peer, let status): self = .failed(peer, status)
    case .connectFailed(let peer, _), .deviceDisconnected(let peer, _), .deviceUnpaired(let peer):
      self = .ended(peer)
    default: return nil
    }
  }
}

extension PairingRequest {
  /// Returns the command that answers the kernel, or nil if no answer is needed.
  func reply(_ answer: PairingAnswer?, to peer: ManagementPeer) -> ManagementCommand? {
    switch (self, answer) {
    case (.consent, .yes), (.compare, .yes): .userConfirmationReply(peer)
    case (.consent, _), (.compare, _): .userConfirmationNegativeReply(peer)
    case (.enter, .passkey(let passkey)): .userPasskeyReply(peer, passkey: passkey.number)
    case (.enter, _): .userPasskeyNegativeReply(peer)
    case (.enterPIN, .pin(let pin)): .pinCodeReply(peer, pin: Bytes(pin.text.utf8))
    case (.enterPIN, _): .pinCodeNegativeReply(peer)
    // The digits are typed on the headphone, so only ending the link stops that.
    case (.show, .no), (.showPIN, .no): .disconnect(peer)
    case (.show, _), (.showPIN, _): nil
    }
  }
}

extension SecurityFailure {
  /// Creates the failure for a status; fails for those of a device that is as desired.
  init?(_ status: ManagementStatus) {
    switch status {
    case .success, .alreadyPaired, .notPaired: return nil
    case .permissionDenied: self = .notPermitted(capability: ProcessRights.Capability.netAdmin.name)
    case .cancelled: self = .declined
    case .notSupported, .unknownCommand: self = .unsupported
    case .connectFailed, .timeout: self = .closed(BearerClosed(.connectTimeout))
    case .disconnected: self = .closed(BearerClosed(.peer))
    case .notPowered, .invalidIndex, .rfkilled: self = .closed(BearerClosed(.adapterGone))
    default: self = .refused
    }
  }
}

extension ManagementPeer {
  /// The address that the rest of the program uses: for a BR/EDR device its public address.
  var named: PeerAddress { peer ?? PeerAddress(address, .public) }
}
