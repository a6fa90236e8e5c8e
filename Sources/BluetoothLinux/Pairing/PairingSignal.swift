internal import Bluetooth
internal import BluetoothCodec

/// What the kernel's management channel says of a pairing.
enum PairingSignal: Hashable, Sendable {
  /// The kernel waits for an answer, or for digits to be typed on the headphone.
  case asks(ManagementPeer, PairingRequest)
  /// The kernel waits for the PIN of a device from before Secure Simple Pairing.
  case asksForPIN(ManagementPeer)
  case made(BondKey, from: BluetoothAddress?)
  case failed(ManagementPeer, ManagementStatus)
  /// The link is gone, and with it what was asked.
  case ended(ManagementPeer)

  /// Nil: the event is about something else, or about keys that are not to be kept.
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
    case .pinCodeRequest(let peer, _): self = .asksForPIN(peer)
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
  /// The command that answers the kernel; nil if it needs none.
  func reply(_ answer: PairingAnswer?, to peer: ManagementPeer) -> ManagementCommand? {
    switch (self, answer) {
    case (.consent, .yes), (.compare, .yes): .userConfirmationReply(peer)
    case (.consent, _), (.compare, _): .userConfirmationNegativeReply(peer)
    case (.enter, .passkey(let passkey)): .userPasskeyReply(peer, passkey: passkey.number)
    case (.enter, _): .userPasskeyNegativeReply(peer)
    // The digits are typed on the headphone: only the link's end stops that.
    case (.show, .no): .disconnect(peer)
    case (.show, _): nil
    }
  }
}

extension SecurityFailure {
  /// What a status of Pair Device or Unpair Device means; nil: it was done, or need not be.
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
  /// As the rest of the program names it: a BR/EDR device by its public address.
  var named: PeerAddress { peer ?? PeerAddress(address, .public) }
}
