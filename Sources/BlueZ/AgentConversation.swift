internal import BluetoothCodec
internal import BluetoothRadio
internal import DBus

/// A method call from bluetoothd to its pairing agent (org.bluez.Agent1).
///
/// | method | case | reply |
/// | --- | --- | --- |
/// | RequestPinCode | `pinCode` | the headphone's PIN |
/// | DisplayPinCode | `displayPinCode` | none |
/// | RequestPasskey | `passkey` | the number on the headphone |
/// | DisplayPasskey | `displayPasskey` | none; called again for each digit typed |
/// | RequestConfirmation | `confirmation` | whether the numbers are equal |
/// | RequestAuthorization | `authorization` | whether to pair |
/// | AuthorizeService | `service` | whether the device may use a profile |
/// | Cancel, Release | `cancel`, `release` | none |
enum AgentRequest: Hashable, Sendable {
  static let interface = "org.bluez.Agent1"

  case pinCode(device: String)
  case displayPinCode(device: String, PIN)
  case passkey(device: String)
  /// Passkey Entry on the headphone, with the number of digits typed so far.
  case displayPasskey(device: String, Passkey, entered: Int)
  case confirmation(device: String, Passkey)
  case authorization(device: String)
  /// A connection of a profile by a device that is not trusted.
  case service(device: String)
  case cancel
  case release

  init?(_ request: DBusRequest) {
    guard request.interface == Self.interface else { return nil }
    let device = request.arguments.first?.path
    let passkey = request.arguments.dropFirst().first?.integer
      .flatMap(UInt32.init(exactly:)).flatMap(Passkey.init(_:))
    switch (request.member, device, passkey) {
    case ("Cancel", _, _): self = .cancel
    case ("Release", _, _): self = .release
    case ("RequestPinCode", let device?, _): self = .pinCode(device: device)
    case ("DisplayPinCode", let device?, _):
      guard let pin = request.arguments.dropFirst().first?.string.flatMap({ PIN($0) }) else {
        return nil
      }
      self = .displayPinCode(device: device, pin)
    case ("RequestPasskey", let device?, _): self = .passkey(device: device)
    case ("DisplayPasskey", let device?, let passkey?):
      let entered = request.arguments.dropFirst(2).first?.integer ?? 0
      self = .displayPasskey(device: device, passkey, entered: entered)
    case ("RequestConfirmation", let device?, let passkey?):
      self = .confirmation(device: device, passkey)
    case ("RequestAuthorization", let device?, _): self = .authorization(device: device)
    case ("AuthorizeService", let device?, _): self = .service(device: device)
    default: return nil
    }
  }
}

/// The state machine of a pairing agent, which rejects questions about other programs' pairings.
struct AgentConversation {
  enum Step: Hashable {
    case reply(DBusReply)
    /// Ask the user, and reply with `reply(to:of:with:isAttended:)`.
    case ask(PairingRequest, PeerAddress, device: String)
    /// Show the user a number; the reply does not wait for an answer.
    case show(PairingRequest, PeerAddress, device: String)
    case withdraw
  }

  static let rejected = DBusReply.error(name: "org.bluez.Error.Rejected", message: "refused")
  static let canceled = DBusReply.error(
    name: "org.bluez.Error.Canceled", message: "not answered")

  private var attempts: [String: PeerAddress] = [:]
  /// The failures that the user's side caused, which are more precise than bluetoothd's error.
  private var excuses: [String: SecurityFailure] = [:]

  /// Records that the user declined a pairing after only being shown a number.
  mutating func decline(_ device: String) { excuses[device] = .declined }

  mutating func begin(_ device: String, as peer: PeerAddress) {
    attempts[device] = peer
    excuses[device] = nil
  }

  mutating func end(_ device: String) -> SecurityFailure? {
    attempts[device] = nil
    return excuses.removeValue(forKey: device)
  }

  func step(for request: AgentRequest) -> Step {
    switch request {
    case .cancel: return .withdraw
    case .release: return .reply(.values([]))
    case .service(let device):
      return .reply(attempts[device] == nil ? Self.rejected : .values([]))
    case .pinCode(let device): return ask(.enterPIN, device)
    case .passkey(let device): return ask(.enter, device)
    case .confirmation(let device, let number): return ask(.compare(number), device)
    case .authorization(let device): return ask(.consent, device)
    case .displayPasskey(let device, let number, let entered):
      return show(.show(number, entered: entered), device)
    case .displayPinCode(let device, let pin): return show(.showPIN(pin), device)
    }
  }

  private func ask(_ request: PairingRequest, _ device: String) -> Step {
    guard let peer = attempts[device] else { return .reply(Self.rejected) }
    return .ask(request, peer, device: device)
  }

  private func show(_ request: PairingRequest, _ device: String) -> Step {
    guard let peer = attempts[device] else { return .reply(Self.rejected) }
    return .show(request, peer, device: device)
  }

  /// Returns the reply for the user's answer; `isAttended` tells whether a user could be asked.
  mutating func reply(
    to request: PairingRequest, of device: String, with answer: PairingAnswer?, isAttended: Bool
  ) -> DBusReply {
    switch (request, answer) {
    case (_, nil):
      excuses[device] = .unanswered
      return Self.canceled
    case (.enter, .passkey(let passkey)?): return .values([.uint32(passkey.number)])
    case (.enterPIN, .pin(let pin)?): return .values([.string(pin.text)])
    case (.consent, .yes?), (.compare, .yes?): return .values([])
    case (_, .some):
      excuses[device] = isAttended ? .declined : .unanswered
      return Self.rejected
    }
  }
}
