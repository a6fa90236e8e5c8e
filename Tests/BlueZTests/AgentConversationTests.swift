import BluetoothCodec
import BluetoothRadio
import DBus
import Testing

@testable import BlueZ

@Suite struct AgentConversationTests {
  private static let device = "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5"
  private static let peer = PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .classic)
  private static let number = Passkey(truncating: 31415)
  private static let pin = PIN("Buds 47")

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

  @Test func `a PIN is asked for, and answered with one`() throws {
    var conversation = Self.pairing
    let request = try #require(Self.request("RequestPinCode"))
    let pin = try #require(Self.pin)
    #expect(conversation.step(for: request) == .ask(.enterPIN, Self.peer, device: Self.device))
    for (answer, reply) in [
      (PairingAnswer.pin(pin), DBusReply.values([.string("Buds 47")])),
      (.yes, AgentConversation.rejected), (.passkey(Self.number), AgentConversation.rejected),
    ] {
      #expect(
        conversation.reply(to: .enterPIN, of: Self.device, with: answer, isAttended: true) == reply)
    }
    #expect(conversation.end(Self.device) == .declined)
  }

  @Test func `a PIN to be typed on the headphone is shown, and needs no answer`() throws {
    let request = try #require(Self.request("DisplayPinCode", .string("Buds 47")))
    let pin = try #require(Self.pin)
    #expect(
      Self.pairing.step(for: request) == .show(.showPIN(pin), Self.peer, device: Self.device))
  }

  @Test(arguments: [
    DBusValue.string(""), .string("12345678901234567"), .string("\u{1B}[2J"), .uint32(4711),
  ])
  func `a PIN that is none is not shown`(value: DBusValue) {
    #expect(Self.request("DisplayPinCode", value) == nil)
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
      (.pin(.usual), true, .declined, AgentConversation.rejected),
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
    ("RequestConfirmation", DBusValue.uint32(1)), ("RequestPasskey", .uint32(1)),
    ("RequestAuthorization", .uint32(1)), ("DisplayPasskey", .uint32(1)),
    ("AuthorizeService", .string("0000110d")), ("RequestPinCode", .uint32(1)),
    ("DisplayPinCode", .string("0000")),
  ])
  func `what this program does not pair is refused`(method: String, value: DBusValue) throws {
    let request = try #require(Self.request(method, value, .uint16(0)))
    #expect(
      AgentConversation().step(for: request) == .reply(AgentConversation.rejected))
  }

  @Test func `a service of what is being paired is allowed`() throws {
    let service = try #require(Self.request("AuthorizeService", .string("0000110d")))
    #expect(Self.pairing.step(for: service) == .reply(.values([])))
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
    #expect(
      AgentRequest(
        DBusRequest("RequestPinCode", of: AgentRequest.interface, from: ":1.1", [.string("/")]))
        == nil)
  }
}
