import BluetoothAttributes
import BluetoothCodec
import TestSupport
import Testing

@testable import HeadphoneProtocols
@testable import VirtualHeadphones

/// Every message of a virtual headphone must have a counterpart of its kind in the family's tables,
/// recorded or marked as made.
@Suite struct VirtualMakersTests {
  /// A conversation of a protocol with a virtual headphone.
  private struct Dialogue {
    let family: HeadphoneFamily
    private var proto: any HeadphoneProtocol
    private var virtual: VirtualFamily
    /// The messages of the headphone.
    private(set) var said: [[UInt8]] = []
    /// The values that were written, with the headphone's answers.
    private(set) var written: [(command: [UInt8], answers: [[UInt8]])] = []

    init?(_ model: VirtualModel) throws {
      guard let virtual = model.family, let (family, service) = virtual.maker else { return nil }
      self.family = family
      self.virtual = virtual
      proto = try #require(family.conversationProtocol).opened(service)
    }

    /// Starts, then sets each setting to several values.
    mutating func run() {
      for bytes in virtual.open() { hear(bytes) }
      send(proto.questions())
      for _ in 0..<8 { send(proto.furtherQuestions()) }
      for declaration in proto.capabilities.declarations {
        for value in declaration.someValues {
          let command = HeadphoneCommand(declaration.id, value, proto.capabilities)
          guard let exchanges = try? proto.exchanges(for: command) else { continue }
          send(exchanges)
          _ = try? proto.accepted(command)
        }
      }
      for isOn in [true, false] where proto.capabilities.hasFind {
        send((try? proto.exchanges(for: .find(.both, isOn: isOn))) ?? [])
      }
    }

    private mutating func send(_ exchanges: [Exchange]) {
      for value in exchanges.flatMap(\.values) { write(Array(proto.framed(value))) }
    }

    private mutating func write(_ bytes: [UInt8]) {
      let answers = virtual.respond(to: bytes[...])
      written.append((bytes, answers))
      for answer in answers { hear(answer) }
    }

    /// Returns whether the headphone answers a command, other than with Sony's acknowledgement
    /// alone.
    func answers(_ command: [UInt8]) -> Bool {
      var copy = virtual
      return copy.respond(to: command[...]).contains {
        (try? SonyFrame(decoding: $0[...]))?.kind != .acknowledgement
      }
    }

    private mutating func hear(_ bytes: [UInt8]) {
      said.append(bytes)
      for message in proto.messages(in: bytes[...]) {
        if let reply = proto.receive(message).reply { write(reply) }
      }
    }
  }

  private static let models = VirtualModel.families.filter { $0.family?.maker != nil }

  @Test func `every virtual headphone of a maker is looked at`() {
    let families = Set(Self.models.compactMap { $0.family?.maker?.family })
    let spoken = HeadphoneFamily.allCases.filter { $0.conversationProtocol != nil }
    #expect(families.isSubset(of: spoken) && families.count > 12)
  }

  @Test(arguments: models)
  func `a virtual headphone says what is recorded, or marked as made`(_ model: VirtualModel) throws
  {
    var dialogue = try #require(try Dialogue(model))
    dialogue.run()
    let family = dialogue.family
    let known = Set(
      try Conversation.everything(of: family).flatMap(\.items)
        .filter { $0.isFromHeadphone && $0.foreign == nil }
        .map { family.messageKind(of: $0.bytes) })
    let unknown = dialogue.said.filter { !known.contains(family.messageKind(of: $0)) }
      .map { hexadecimal($0[...]) }
    #expect(!dialogue.said.isEmpty)
    #expect(unknown.isEmpty)
  }

  @Test(arguments: models)
  func `a virtual headphone takes commands that are recorded, or marked as made`(
    _ model: VirtualModel
  ) throws {
    var dialogue = try #require(try Dialogue(model))
    dialogue.run()
    let family = dialogue.family
    let known = Set(
      try Conversation.everything(of: family).flatMap(\.items)
        .filter { !$0.isFromHeadphone && $0.foreign == nil }
        .map { family.messageKind(of: $0.bytes) })
    let unknown = dialogue.written
      .filter { !$0.answers.isEmpty && !known.contains(family.messageKind(of: $0.command)) }
      .map { hexadecimal($0.command[...]) }
    #expect(!dialogue.written.isEmpty)
    #expect(unknown.isEmpty)
  }

  /// `UPDATE_SCREENS=1` rewrites the list.
  @Test func `what the tables say is answered, and no virtual headphone answers, is listed`() throws
  {
    var lines: [String] = []
    for family in HeadphoneFamily.allCases {
      var open = try AnsweredCommands(of: family).byKind
      let models = Self.models.filter { $0.family?.maker?.family == family }
      for model in models {
        var begun = try #require(try Dialogue(model))
        begun.run()
        for (kind, commands) in open where commands.contains(where: { begun.answers($0) }) {
          open[kind] = nil
        }
      }
      guard !models.isEmpty else { continue }
      lines += open.values.compactMap(\.first).map { "\(family.rawValue) \(hexadecimal($0[...]))" }
        .sorted()
    }
    let wanted = lines.joined(separator: "\n") + "\n"
    let file = GeneratedPage(
      ofProject: "Tests/HeadphoneProtocolsTests/Evidence/unanswered.txt")
    #expect(try file.text(rewrittenTo: wanted) == wanted)
  }
}

/// The commands to which a family's tables contain an answer.
private struct AnsweredCommands {
  private(set) var byKind: [[UInt64]: [[UInt8]]] = [:]

  init(of family: HeadphoneFamily) throws {
    for conversation in try Conversation.everything(of: family) {
      let items = conversation.items.filter { $0.foreign == nil }
      for (command, next) in zip(items, items.dropFirst())
      where !command.isFromHeadphone && next.isFromHeadphone {
        guard let kind = family.messageKind(of: command.bytes) else { continue }
        byKind[kind, default: []].append(command.bytes)
      }
    }
  }
}

extension VirtualFamily {
  /// The family and the service of its protocol, or nil for a model without a maker's protocol.
  fileprivate var maker: (family: HeadphoneFamily, service: BluetoothUUID)? {
    switch self {
    case .serial(let serial):
      let service = serial.headphone.service
      return HeadphoneFamily.allCases.first {
        $0.serialProtocol?.services.contains {
          $0.match([service], vendor: serial.headphone.vendor) != nil
        } == true
      }.map { ($0, service) }
    case .lowEnergy(let own):
      let database = Database(services: [own.service])
      return HeadphoneFamily.allCases.first { $0.gattProtocol?.channel(in: database) != nil }
        .map { ($0, own.headphone.service) }
    case .airPods: return (.airpods, .bit16(0))
    default: return nil
    }
  }
}

extension VirtualLE {
  /// The service as a phone discovers it.
  fileprivate var service: Service {
    func characteristic(
      _ uuid: BluetoothUUID, _ properties: CharacteristicProperties
    ) -> Characteristic {
      Characteristic(uuid: uuid, properties: properties, declaration: 2, handle: 3, end: 4)
    }
    return Service(
      uuid: headphone.service, range: .all,
      characteristics: [
        characteristic(headphone.write, headphone.writing),
        characteristic(headphone.notify, .notify),
      ])
  }
}

extension SettingDeclaration {
  /// All values of a switch or choice, and both ends of other kinds.
  fileprivate var someValues: [SettingValue] {
    switch kind {
    case .toggle: [.toggle(true), .toggle(false)]
    case .choice(let choices): choices.map { .choice($0.id) }
    case .level(let range): [.level(range.bounds.lowerBound), .level(range.bounds.upperBound)]
    case .bands(let bands, let range):
      [range.bounds.lowerBound, range.bounds.upperBound].map {
        .bands(Array(repeating: $0, count: bands.count))
      }
    case .text, .action, .reading, .pairedDevices: []
    }
  }
}
