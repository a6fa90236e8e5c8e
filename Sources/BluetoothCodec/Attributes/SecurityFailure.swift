/// The reason why security was not raised.
public enum SecurityFailure: Error, Hashable, Sendable {
  case refused
  case declined
  case unanswered
  /// There is no user to prompt, so that no pairing was begun: the link is as before.
  case unattended
  case timedOut
  /// bluetoothd handles pairing on this machine and has no agent to prompt the user.
  case noAgent
  /// The kernel accepts replies during pairing only with this capability.
  case notPermitted(capability: String)
  /// The peer has lost or changed its keys, and must be removed and paired again.
  case keyMissing
  case unsupported
  case closed(BearerClosed)
  case bluetoothdUnresponsive
  /// Another error from bluetoothd, with its message.
  case bluetoothd(String)
}
