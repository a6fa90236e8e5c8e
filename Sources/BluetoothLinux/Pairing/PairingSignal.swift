internal import Bluetooth
internal import BluetoothCodec

/// An event of the management channel about a pairing.
enum PairingSignal: Hashable, Sendable {
  /// The kernel waits for an answer, or for digits to be typed on the headphone.
  case asks(ManagementPeer, PairingRequest)
  /// Pairing made a key; `from` is the private address of the device, if the key reveals its
  /// identity.
  case made(BondKey, from: BluetoothAddress?)
  /// Pairing failed, or the stored key did not encrypt the link.
  case failed(ManagementPeer, ManagementStatus)
  /// The link has ended, so its questions need no answer.
  case ended(ManagementPeer)

  /// The signal of an event; `nil` for other events, and for keys that are not to be stored.
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
  /// The command that answers the kernel; `nil` if it needs no answer.
  ///
  /// | request | positive | negative, or no answer in time |
  /// | --- | --- | --- |
  /// | consent, compare | User Confirmation Reply | User Confirmation Negative Reply |
  /// | enter | User Passkey Reply | User Passkey Negative Reply |
  /// | enterPIN | PIN Code Reply | PIN Code Negative Reply |
  /// | show, showPIN | none | Disconnect on "no", else none |
  ///
  /// - Parameters:
  ///   - answer: the user's answer; `nil` if none came in time.
  ///   - peer: the device.
  func reply(_ answer: PairingAnswer?, to peer: ManagementPeer) -> ManagementCommand? {
    switch (self, answer) {
    case (.consent, .yes), (.compare, .yes): .userConfirmationReply(peer)
    case (.consent, _), (.compare, _): .userConfirmationNegativeReply(peer)
    case (.enter, .passkey(let passkey)): .userPasskeyReply(peer, passkey: passkey.number)
    case (.enter, _): .userPasskeyNegativeReply(peer)
    case (.enterPIN, .pin(let pin)): .pinCodeReply(peer, pin: Bytes(pin.text.utf8))
    case (.enterPIN, _): .pinCodeNegativeReply(peer)
    // The digits are typed on the headphone: only the link's end stops that.
    case (.show, .no), (.showPIN, .no): .disconnect(peer)
    case (.show, _), (.showPIN, _): nil
    }
  }
}

extension SecurityFailure {
  /// The meaning of a status of Pair Device or Unpair Device; `nil` after success, or if there was
  /// nothing to do.
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
