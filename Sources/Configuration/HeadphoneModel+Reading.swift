internal import Companion
public import Headphones
internal import TOML

extension HeadphoneModel {
  /// Reads the file of one model (docs/add-your-headphone.md).
  ///
  /// - Parameter id: the name of the file, without ".toml".
  /// - Returns: nil for a file without what makes a model; what is wrong is told by its line.
  public static func read(
    _ text: some Sequence<UInt8>, id: String
  ) -> (model: HeadphoneModel?, mistakes: [ConfigurationMistake]) {
    let document = TOMLDocument(parsing: text)
    var root = Section(document.root)
    let model = HeadphoneModel(&root, id: id)
    let broken = document.mistakes.map { ConfigurationMistake(line: $0.line, $0.what) }
    return (model, (broken + root.end()).sorted())
  }

  private init?(_ root: inout Section, id: String) {
    let name = root.text("name")
    let family: HeadphoneFamily? = root.choice("family")
    var marks = Marks()
    root.section("marks") { marks.read(&$0) }
    let shape: Shape? = root.choice("parts")
    let proof: Proof? = root.choice("proof")
    let modes = root.ancModes()
    let leftBud: UInt8? = root.number("left-bud", in: 1...0xFF)
    var state: SoundcoreLayout?
    root.section("state") { state = SoundcoreLayout(&$0) }
    let missing = [("name", name == nil), ("family", family == nil), ("[marks]", marks.isEmpty)]
      .filter { $0.1 && root.line(of: $0.0) == nil }.map { $0.0 }
    if !missing.isEmpty {
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
  fileprivate mutating func read(_ section: inout Section) {
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
  }
}

extension SoundcoreLayout {
  fileprivate init(_ section: inout Section) {
    self.init()
    let places = 0...4095
    battery = section.number("battery", in: places)
    charging = section.number("charging", in: places)
    eq = section.number("eq", in: places)
    soundModes = section.number("sound-modes", in: places)
    firmware = section.number("firmware", in: places)
    serial = section.number("serial", in: places)
  }
}

extension Section {
  fileprivate mutating func ancModes() -> [ANCMode]? {
    let all = ANCMode.allCases.map { "\"\($0.name)\"" }.joined(separator: ", ")
    return value("noise-control", "a list of \(all)") { value in
      guard let texts = value.texts else { return nil }
      let found = texts.compactMap { text in ANCMode.allCases.first { $0.name == text } }
      return found.count == texts.count ? found : nil
    }
  }
}
