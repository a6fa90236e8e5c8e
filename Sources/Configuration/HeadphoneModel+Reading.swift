internal import Companion
package import HeadphoneProtocols
internal import TOML

extension HeadphoneModel {
  /// Reads any bytes; returns the model, or nil without required keys, and the mistakes by line.
  package static func read(
    _ text: some Sequence<UInt8>, id: String
  ) -> (model: HeadphoneModel?, mistakes: [ConfigurationMistake]) {
    let document = TOMLDocument(parsing: text)
    var root = Section(document.root)
    let model = HeadphoneModel(&root, id: id, isWhole: document.mistakes.isEmpty)
    let broken = document.mistakes.map { ConfigurationMistake(line: $0.line, displayable($0.what)) }
    return (model, (broken + root.end()).sorted())
  }

  private init?(_ root: inout Section, id: String, isWhole: Bool) {
    let name = root.text("name")
    // Headphones with the protocol of docs/protocol.md are profiles of the configuration instead.
    let family = root.choice(
      "family", among: [HeadphoneFamily.airpods, .nothing, .soundcore, .standard])
    var marks = Marks()
    root.section("marks") { marks.read(&$0, family) }
    let shape: Shape? = root.choice("parts")
    let proof: Proof? = root.choice("proof")
    let modes = root.ancModes()
    let leftBud: UInt8? = root.number("left-bud", in: 1...0xFF)
    root.keep("left-bud", for: .nothing, family)
    var state: SoundcoreLayout?
    root.section("state") { state = SoundcoreLayout(&$0, within: marks.stateLengths.min()) }
    let missing = [("name", name == nil), ("family", family == nil), ("[marks]", marks.isEmpty)]
      .filter { $0.1 && root.line(of: $0.0) == nil }.map { $0.0 }
    // After a line with a syntax error the keys may exist nevertheless.
    if !missing.isEmpty, isWhole {
      root.note(1, "a model needs \(missing.joined(separator: ", ")) as well")
    }
    if let state, state != SoundcoreLayout(), family != .soundcore {
      root.note(root.line(of: "state") ?? 1, "[state] is for the family \"soundcore\"")
    }
    guard let name, let family, !marks.isEmpty else { return nil }
    self.init(id: id, name: name, family: family, marks: marks)
    self.proof = proof ?? .publishedLayout
    self.shape = shape
    ancModes = modes
    self.leftBud = leftBud
    soundcoreState = family == .soundcore ? state : nil
  }
}

extension HeadphoneModel.Marks {
  fileprivate mutating func read(_ section: inout Section, _ family: HeadphoneFamily?) {
    product = section.number("product", in: 0...0xFFFF)
    numbers = section.texts("numbers", "a list of texts such as [\"A3048\"]") ?? []
    fastPair = section.number("fast-pair", in: 0...0xFF_FFFF)
    service = section.number("service", in: 0...0xFFFF)
    stateLengths =
      section.value("state-lengths", "a list of lengths such as [60, 67]") { value in
        guard case .array(let items) = value else { return nil }
        let lengths = items.compactMap { item -> Int? in
          guard case .integer(let length) = item.value, (1...4096).contains(length) else {
            return nil
          }
          return length
        }
        return lengths.count == items.count ? lengths : nil
      } ?? []
    section.keep("product", for: .airpods, family)
    section.keep("service", for: .soundcore, family)
    section.keep("state-lengths", for: .soundcore, family)
  }
}

extension SoundcoreLayout {
  /// Reads `[state]`: the offsets in a Soundcore state report of `shortest` bytes or more.
  fileprivate init(_ section: inout Section, within shortest: Int?) {
    self.init()
    func place(_ key: String, bytes: Int) -> Int? {
      section.number(key, in: 0...max(0, (shortest ?? 4096) - bytes))
    }
    battery = place("battery", bytes: 1)
    charging = place("charging", bytes: 1)
    eq = place("eq", bytes: 10)
    soundModes = place("sound-modes", bytes: 4)
    firmware = place("firmware", bytes: 5)
    serial = place("serial", bytes: 16)
  }
}

extension Section {
  /// Notes a mistake if a key of the family `owner` is given for another family.
  fileprivate mutating func keep(
    _ key: String, for owner: HeadphoneFamily, _ family: HeadphoneFamily?
  ) {
    guard let line = line(of: key), let family, family != owner else { return }
    note(line, "\"\(key)\" is for the family \"\(owner.rawValue)\"")
  }

  fileprivate mutating func ancModes() -> [ANCMode]? {
    let all = ANCMode.allCases.map { "\"\($0.name)\"" }.joined(separator: ", ")
    return value("noise-control", "a list of \(all)") { value in
      guard let texts = value.texts else { return nil }
      let found = texts.compactMap { text in ANCMode.allCases.first { $0.name == text } }
      return found.count == texts.count ? found : nil
    }
  }
}
