import Bluetooth
import BluetoothCodec
import DBus
import Testing

@testable import BlueZ

/// What bluetoothd asks its agent, what the person is asked, and what is answered.
@Suite struct AgentConversationTests {
  private static let device = "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5"
  private static let peer = PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .classic)
  private static let number = Passkey(truncating: 31415)

  private static func request(_ member: String, _ more: DBusValue...) -> AgentRequest? {
    AgentRequest(
      DBusRequest(member, of: AgentRequest.interface, from: ":1.1", [.objectPath(device)] + more))
  }

  private static var pairing: AgentConversation {
    var conversation = AgentConversation()
    conversation.begin(device, as: peer)
    return conversation
  }

  @Test(arguments: [
    ("RequestConfirmation", PairingRequest.compare(number), PairingAnswer.yes, [] as [DBusValue]),
    ("RequestPasskey", .enter, .passkey(number), [.uint32(31415)]),
    ("RequestAuthorization", .consent, .yes, []),
  ])
  func `each method is asked and answered`(
    method: String, question: PairingRequest, answer: PairingAnswer, reply: [DBusValue]
  ) throws {
    var conversation = Self.pairing
    let request = try #require(Self.request(method, .uint32(31415)))
    #expect(conversation.step(for: request) == .ask(question, Self.peer, device: Self.device))
    #expect(
      conversation.reply(to: question, of: Self.device, with: answer, isAttended: true)
        == .values(reply))
    #expect(conversation.end(Self.device) == nil)
  }

  @Test func `a number to be typed on the headphone is shown, and needs no answer`() throws {
    let request = try #require(Self.request("DisplayPasskey", .uint32(31415), .uint16(0)))
    #expect(
      Self.pairing.step(for: request)
        == .show(.show(Self.number, entered: 0), Self.peer, device: Self.device))
  }

  @Test func `a no, a wrong kind of answer and none are reported apart`() {
    for (answer, isAttended, excuse, reply) in [
      (PairingAnswer.no, true, SecurityFailure.declined, AgentConversation.rejected),
      (.no, false, .unanswered, AgentConversation.rejected),
      (.passkey(Self.number), true, .declined, AgentConversation.rejected),
      (nil, true, .unanswered, AgentConversation.canceled),
    ] {
      var conversation = Self.pairing
      #expect(
        conversation.reply(
          to: .compare(Self.number), of: Self.device, with: answer, isAttended: isAttended)
          == reply)
      #expect(conversation.end(Self.device) == excuse)
    }
  }

  @Test(arguments: [
    "RequestConfirmation", "RequestPasskey", "RequestAuthorization", "DisplayPasskey",
    "AuthorizeService", "RequestPinCode", "DisplayPinCode",
  ])
  func `what this program does not pair is refused`(method: String) throws {
    let request = try #require(Self.request(method, .uint32(1), .uint16(0)))
    #expect(
      AgentConversation().step(for: request) == .reply(AgentConversation.rejected))
  }

  @Test func `a service of what is being paired is allowed, and a PIN is not`() throws {
    let service = try #require(Self.request("AuthorizeService", .string("0000110d")))
    #expect(Self.pairing.step(for: service) == .reply(.values([])))
    let pin = try #require(Self.request("RequestPinCode"))
    #expect(Self.pairing.step(for: pin) == .reply(AgentConversation.rejected))
  }

  @Test func `what is taken back and what is over`() throws {
    #expect(Self.pairing.step(for: try #require(Self.request("Cancel"))) == .withdraw)
    #expect(
      Self.pairing.step(for: try #require(Self.request("Release"))) == .reply(.values([])))
  }

  @Test func `other interfaces, methods and types are none`() {
    #expect(AgentRequest(DBusRequest("Cancel", of: "org.example", from: ":1.1")) == nil)
    #expect(Self.request("Explode") == nil)
    #expect(Self.request("RequestConfirmation", .string("1")) == nil)
    #expect(Self.request("RequestConfirmation", .uint32(1_000_000)) == nil)
    #expect(
      AgentRequest(
        DBusRequest("RequestPasskey", of: AgentRequest.interface, from: ":1.1", [.byte(1)])) == nil)
  }
}
