internal import Bluetooth
internal import BluetoothCodec
internal import DBus

/// A method call from bluetoothd to its pairing agent (org.bluez.Agent1).
///
/// | method | case | answer |
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

  /// Legacy pairing with the headphone's PIN.
  case pinCode(device: String)
  /// Legacy pairing with a PIN that is typed on the headphone.
  case displayPinCode(device: String, PIN)
  /// Passkey Entry on this side.
  case passkey(device: String)
  /// Passkey Entry on the headphone, with the number of digits typed so far.
  case displayPasskey(device: String, Passkey, entered: Int)
  /// Numeric Comparison.
  case confirmation(device: String, Passkey)
  /// Just Works, which only needs consent.
  case authorization(device: String)
  /// A connection of a profile by a device that is not trusted.
  case service(device: String)
  /// The previous question needs no answer any more.
  case cancel
  /// bluetoothd has unregistered the agent.
  case release

  /// Decodes a method call.
  ///
  /// - Parameter request: any call to the agent's object.
  /// - Returns: `nil` for other methods, and for arguments of another type.
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

/// The state machine of a pairing agent: bluetoothd's questions, the user's answers, the replies.
///
/// Only devices that this program pairs are answered; all others are rejected.
///
/// ```swift
/// var conversation = AgentConversation()
/// conversation.begin(path, as: peer)
/// switch conversation.step(for: request) {
/// case .reply(let reply): return reply
/// case .ask(let question, let peer, let device):
///   let answer = await agent.ask(question, for: peer)
///   return conversation.reply(
///     to: question, of: device, with: answer, isAttended: agent.isAttended)
/// case .show, .withdraw: return .values([])
/// }
/// ```
struct AgentConversation {
  /// The reaction to a request.
  enum Step: Hashable {
    /// Reply to bluetoothd at once.
    case reply(DBusReply)
    /// Ask the user, and reply with ``AgentConversation/reply(to:of:with:isAttended:)``.
    case ask(PairingRequest, PeerAddress, device: String)
    /// Show the user a number; the reply does not wait for an answer.
    case show(PairingRequest, PeerAddress, device: String)
    /// Withdraw the open question.
    case withdraw
  }

  /// The reply that ends a pairing by decision.
  static let rejected = DBusReply.error(name: "org.bluez.Error.Rejected", message: "refused")
  /// The reply that ends a pairing without a decision.
  static let canceled = DBusReply.error(
    name: "org.bluez.Error.Canceled", message: "not answered")

  /// The devices that are being paired: object path, and the address that the pairing was started
  /// with.
  private var attempts: [String: PeerAddress] = [:]
  /// The failures that the user's side caused, which explain bluetoothd's own error better.
  private var excuses: [String: SecurityFailure] = [:]

  /// Reports a pairing as declined by the user, who was only shown a number.
  mutating func decline(_ device: String) { excuses[device] = .declined }

  /// Starts a pairing, whose questions are answered from now on.
  mutating func begin(_ device: String, as peer: PeerAddress) {
    attempts[device] = peer
    excuses[device] = nil
  }

  /// Ends a pairing.
  ///
  /// - Parameter device: the object path.
  /// - Returns: the failure that the user's side caused; `nil` if it caused none.
  mutating func end(_ device: String) -> SecurityFailure? {
    attempts[device] = nil
    return excuses.removeValue(forKey: device)
  }

  /// The reaction to a request of bluetoothd.
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

  /// Asks the user about a device that is being paired; rejects any other.
  private func ask(_ request: PairingRequest, _ device: String) -> Step {
    guard let peer = attempts[device] else { return .reply(Self.rejected) }
    return .ask(request, peer, device: device)
  }

  /// Shows the user what a device that is being paired waits for; rejects any other.
  private func show(_ request: PairingRequest, _ device: String) -> Step {
    guard let peer = attempts[device] else { return .reply(Self.rejected) }
    return .show(request, peer, device: device)
  }

  /// The reply for the user's answer.
  ///
  /// | question | answer | reply |
  /// | --- | --- | --- |
  /// | any | none in time | Canceled |
  /// | enter | a passkey | its number |
  /// | enterPIN | a PIN | its characters |
  /// | consent, compare | yes | success |
  /// | any | anything else | Rejected |
  ///
  /// - Parameters:
  ///   - request: the question.
  ///   - device: the object path.
  ///   - answer: the user's answer; `nil` if none came in time.
  ///   - isAttended: whether a user could be asked at all.
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
