internal import Bluetooth
internal import BluetoothCodec
internal import DBus

/// A question of bluetoothd to its pairing agent (org.bluez.Agent1).
enum AgentRequest: Hashable, Sendable {
  static let interface = "org.bluez.Agent1"

  /// Legacy pairing (Core 5.4, Vol 2, Part F, 4.2), which headphones of today do not use.
  case pinCode(device: String)
  case passkey(device: String)
  case displayPasskey(device: String, Passkey, entered: Int)
  case confirmation(device: String, Passkey)
  case authorization(device: String)
  case service(device: String)
  /// What was asked last is over.
  case cancel
  /// bluetoothd is done with the agent.
  case release

  /// Nil: no method of the interface, or arguments of another type.
  init?(_ request: DBusRequest) {
    guard request.interface == Self.interface else { return nil }
    let device = request.arguments.first?.path
    let passkey = request.arguments.dropFirst().first?.integer
      .flatMap(UInt32.init(exactly:)).flatMap(Passkey.init(_:))
    switch (request.member, device, passkey) {
    case ("Cancel", _, _): self = .cancel
    case ("Release", _, _): self = .release
    case ("RequestPinCode", let device?, _), ("DisplayPinCode", let device?, _):
      self = .pinCode(device: device)
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

/// The pairing agent's side of the conversation with bluetoothd: what it is asked, what the person
/// is asked, and what is answered.
///
/// Only devices that this program pairs are answered; for any other the answer is no.
struct AgentConversation {
  /// What to do about a request.
  enum Step: Hashable {
    case reply(DBusReply)
    /// Ask the person, and answer with ``AgentConversation/reply(to:with:isAttended:)``.
    case ask(PairingRequest, PeerAddress, device: String)
    /// Show the person something; the answer to bluetoothd does not wait for that.
    case show(PairingRequest, PeerAddress, device: String)
    /// Take back what the person is asked.
    case withdraw
  }

  static let rejected = DBusReply.error(name: "org.bluez.Error.Rejected", message: "refused")
  static let canceled = DBusReply.error(
    name: "org.bluez.Error.Canceled", message: "not answered")

  /// The devices that are being paired, by their objects, and as their pairing names them.
  private var attempts: [String: PeerAddress] = [:]
  /// Why the person's side ended a pairing.
  private var excuses: [String: SecurityFailure] = [:]

  /// A pairing with a device begins.
  mutating func begin(_ device: String, as peer: PeerAddress) {
    attempts[device] = peer
    excuses[device] = nil
  }

  /// It has ended.
  ///
  /// - Returns: what the person's side had to do with that; nil: nothing.
  mutating func end(_ device: String) -> SecurityFailure? {
    attempts[device] = nil
    return excuses.removeValue(forKey: device)
  }

  func step(for request: AgentRequest) -> Step {
    switch request {
    case .cancel: return .withdraw
    case .release: return .reply(.values([]))
    case .pinCode: return .reply(Self.rejected)
    case .service(let device):
      return .reply(attempts[device] == nil ? Self.rejected : .values([]))
    case .passkey(let device): return ask(.enter, device)
    case .confirmation(let device, let number): return ask(.compare(number), device)
    case .authorization(let device): return ask(.consent, device)
    case .displayPasskey(let device, let number, let entered):
      guard let peer = attempts[device] else { return .reply(Self.rejected) }
      return .show(.show(number, entered: entered), peer, device: device)
    }
  }

  private func ask(_ request: PairingRequest, _ device: String) -> Step {
    guard let peer = attempts[device] else { return .reply(Self.rejected) }
    return .ask(request, peer, device: device)
  }

  /// Makes the person's answer bluetoothd's.
  ///
  /// - Parameters:
  ///   - answer: nil: none came in time.
  ///   - isAttended: whether there was a person to ask.
  mutating func reply(
    to request: PairingRequest, of device: String, with answer: PairingAnswer?, isAttended: Bool
  ) -> DBusReply {
    switch (request, answer) {
    case (_, nil):
      excuses[device] = .unanswered
      return Self.canceled
    case (.enter, .passkey(let passkey)?): return .values([.uint32(passkey.number)])
    case (.consent, .yes?), (.compare, .yes?): return .values([])
    case (_, .some):
      excuses[device] = isAttended ? .declined : .unanswered
      return Self.rejected
    }
  }
}
