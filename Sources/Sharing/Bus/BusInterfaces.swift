internal import Companion
internal import CompanionRuntime
internal import DBus
internal import HeadphoneProtocols
internal import JSON

/// The D-Bus interfaces of a headphone, made from the schema of `earshot status --json`.
///
/// Each object of the status is an interface, such as `io.github.earshot.Earshot.Battery1`; its
/// other members are properties of `Headphone1`. The settings that the headphone declares are
/// `Settings1`.
enum BusInterfaces {
  static let service = "io.github.earshot.Earshot"
  static let root = "/io/github/earshot/Earshot"
  static let headphone = name("headphone")
  static let settings = name("settings")
  static let manager = name("manager")

  /// Returns the name of an interface; its number is that of the JSON's schema.
  static func name(_ member: String) -> String { "\(service).\(member.busName)1" }

  static func path(of id: HeadphoneID) -> String {
    let element = id.rawValue.utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      let isPlain = byte < 0x80 && (character.isLetter || character.isNumber)
      return isPlain ? String(character) : "_\(String(byte, radix: 16))"
    }
    return "\(root)/\(element.joined())"
  }

  // MARK: Methods

  struct Command {
    var name: String
    /// The name of the argument and the words that it may be, or nil for none.
    var argument: (name: String, choices: [String])?
    var words: [String]
    var meaning: String

    var method: DBusInterface.Method {
      .init(name, argument.map { [.init($0.name, "s")] } ?? [], meaning: meaning)
    }
  }

  static let commands = [
    Command(
      name: "Connect", words: ["connect"],
      meaning: "Connects the controls, and keeps them connected."),
    Command(name: "Disconnect", words: ["disconnect"], meaning: "Disconnects the controls."),
    Command(
      name: "ConnectAudio", words: ["audio", "connect"],
      meaning: "Connects the sound, and plays there."),
    Command(
      name: "DisconnectAudio", words: ["audio", "disconnect"], meaning: "Disconnects the sound."),
    Command(
      name: "Find", argument: ("where", Side.allCases.map(\.name) + ["both", "stop"]),
      words: ["find"],
      meaning: "Rings an earbud: `left`, `right` or `both`, or `stop`."),
  ]

  /// The words of the command that sets a property, by the property's place in the status.
  ///
  /// After "--" a value that begins with a hyphen is not an option.
  static let setters: [String: @Sendable (String) -> [String]] = [
    "device.name": { ["rename", "--", $0] }, "anc": { ["anc", "--", $0] },
    "eq.preset": { ["eq", "use", "--", $0] }, "eq.bands": { ["eq", "--bands=\($0)"] },
    "volume.level": { ["volume", "--", $0] }, "volume.muted": { ["mute", "--", $0] },
    "correction.on": { ["correction", $0] },
    "correction.strength": { ["correction", "strength", "--", $0] },
    "correction.bass": { ["correction", "bass", "--", $0] },
    "correction.place": { ["correction", "place", "--", $0] },
  ]

  /// Frequently changing values, whose changes are not signalled, as few listeners need them.
  static let unsignalled: Set = ["device.rssi"]

  static let run = DBusInterface.Method(
    "Run", [.init("arguments", "as")],
    returns: [.init("status", "i"), .init("output", "s"), .init("messages", "s")],
    meaning: "Runs a command as `earshot ARGUMENTS` does: its exit code, and what it writes to "
      + "standard output and standard error.")

  // MARK: Interfaces

  /// The members of the status that an interface has.
  struct Declaration {
    /// The name of their object in the status, or "" for members of the status itself.
    var object: String
    var members: [JSONSchema.Member] = []

    var interface: String { object.isEmpty ? headphone : name(object) }

    func place(of member: JSONSchema.Member) -> String {
      object.isEmpty ? member.name : "\(object).\(member.name)"
    }
  }

  static func interfaces(of headphone: HeadphoneState, _ report: StatusReport) -> [DBusInterface] {
    let status = JSON.object(StatusReport.properties.map { $0.value(of: report) })
    let settings = settings(of: headphone)
    return declared.compactMap { interface(of: $0, status) }
      + (settings.properties.isEmpty && settings.methods.isEmpty ? [] : [settings])
  }

  static let declared: [Declaration] = {
    var all = [Declaration(object: "")]
    for member in StatusReport.properties.map(\.member) {
      switch member.schema.content {
      case .object(let members): all.append(Declaration(object: member.name, members: members))
      // The settings have a type each.
      case .map: break
      default: all[0].members.append(member)
      }
    }
    return all
  }()

  /// Returns the interface of an object of the status, or nil if the object is null.
  ///
  /// - Parameter status: The values, or nil to only declare the interface.
  static func interface(
    of declaration: Declaration, _ status: JSON?
  ) -> DBusInterface? {
    let isOwn = declaration.object.isEmpty
    let object = isOwn ? status : status?[declaration.object]
    if object == JSON.null { return nil }
    let properties = declaration.members.map { member in
      let place = declaration.place(of: member)
      return DBusInterface.Property(
        member.name.busName, member.schema.signature,
        object?[member.name].flatMap(member.schema.busValue), isWritable: setters[place] != nil,
        isSignalled: !unsignalled.contains(place), meaning: member.meaning)
    }
    return DBusInterface(
      declaration.interface, properties: properties,
      methods: isOwn ? commands.map(\.method) + [run] : [])
  }

  /// Returns the words of the command for a property's value, or nil if it cannot be set.
  static func setter(
    of property: String, in interface: String
  ) -> (@Sendable (String) -> [String])? {
    guard let declaration = declared.first(where: { $0.interface == interface }),
      let member = declaration.members.first(where: { $0.name.busName == property })
    else { return nil }
    return setters[declaration.place(of: member)]
  }

  /// Returns the interface of the settings that the headphone declares; actions are methods.
  static func settings(of headphone: HeadphoneState) -> DBusInterface {
    var interface = DBusInterface(settings)
    for declaration in headphone.capabilities?.declarations ?? [] {
      let name = declaration.id.rawValue.busName
      guard let schema = declaration.schema else {
        interface.methods.append(.init(name, meaning: displayable(declaration.title)))
        continue
      }
      let value = headphone.setting(declaration.id).confirmed?.json
      interface.properties.append(
        .init(
          name, schema.signature, value.flatMap(schema.busValue),
          isWritable: declaration.isWritable,
          meaning: "\(displayable(declaration.title)): \(declaration.acceptedWords)"))
    }
    return interface
  }
}

/// The service's properties: the program, the default headphone and the output.
struct ManagerReport: JSONObject, Hashable {
  let version: String
  /// The headphone of commands that name none, or nil if there is none yet.
  let headphone: String?
  /// Where the sound goes, or nil if it is not known.
  let output: String?
  let isVirtual: Bool

  static let properties: [Property<Self>] = [
    Property("version", \.version),
    Property(
      "headphone", \.headphone, "the ID of the one that commands without a headphone mean"),
    Property("output", \.output, "where the sound goes"),
    Property("virtual", \.isVirtual, "the headphones are virtual, as of `earshot demo`"),
  ]

  /// Returns the interface with its values, or only declared without a report.
  static func interface(_ report: ManagerReport?) -> DBusInterface {
    DBusInterface(
      BusInterfaces.manager,
      properties: properties.map { property in
        let member = property.member
        return DBusInterface.Property(
          member.name.busName, member.schema.signature,
          report.flatMap { member.schema.busValue(of: property.value(of: $0).value) },
          meaning: member.meaning)
      }, methods: [BusInterfaces.run])
  }
}

extension SettingDeclaration {
  /// The schema of the values, or nil for an action, which has none.
  fileprivate var schema: JSONSchema? {
    switch kind {
    case .toggle: .boolean
    case .choice, .text, .reading: .string()
    case .level: .integer()
    case .bands: .array(.number())
    case .pairedDevices: .array(PairedDevice.schema)
    case .action: nil
    }
  }

  fileprivate var isWritable: Bool {
    switch kind {
    case .toggle, .choice, .level, .bands, .text: true
    case .reading, .pairedDevices, .action: false
    }
  }
}
