package import HeadphoneProtocols

/// A named set of settings, an output and an audio profile: a table of `[scenes]`.
package struct Scene: Hashable, Sendable, Identifiable {
  package struct Wish: Hashable, Sendable {
    package var setting: SettingID
    /// The value in the syntax of the command line: "nc", "7", "on".
    package var word: String

    package init(_ setting: SettingID, _ word: String) {
      self.setting = setting
      self.word = word
    }
  }

  package var name: String
  /// The wanted values, in file order.
  package var wishes: [Wish]
  /// "headphone", or the start of an output's address or name; nil to keep it.
  package var output: String?
  /// "music", "calls", "off", or the start of a profile's or codec's name; nil to keep it.
  package var profile: String?
  /// "on" or "off" for the measured correction; nil to keep it.
  package var correction: String?
  /// When the scene applies automatically: ``Occasion`` as a word.
  ///
  /// Such a scene sets neither output nor profile, so that two scenes cannot keep moving the sound.
  package var when: String?

  var switchesCorrection: Bool? {
    switch correction {
    case "on": true
    case "off": false
    default: nil
    }
  }

  package var id: String { name }

  package init(
    name: String, wishes: [Wish] = [], output: String? = nil, profile: String? = nil,
    when: String? = nil, correction: String? = nil
  ) {
    self.name = name
    self.wishes = wishes
    self.output = output
    self.profile = profile
    self.when = when
    self.correction = correction
  }

  /// The ``output`` that means the headphone itself.
  package static let headphone = "headphone"
  package static let keys = 1...5
}

extension Scene {
  /// When a scene applies automatically.
  package enum Occasion: Hashable, Sendable {
    /// The sound moves to an output, named as in ``Scene/output``.
    case output(String)
    /// A program uses the headphone's microphone.
    case call
    /// A program with this name, or the name of its file, plays.
    case program(String)

    private static let program = "program:"

    /// Creates the occasion of a word: "call", "program:mpv", or an output.
    package init(_ word: String) {
      let lowercased = word.lowercased()
      if lowercased == "call" {
        self = .call
      } else if lowercased.hasPrefix(Self.program) {
        self = .program(String(word.dropFirst(Self.program.count)).trimmed)
      } else {
        self = .output(word)
      }
    }

    package var word: String {
      switch self {
      case .output(let name): name
      case .call: "call"
      case .program(let name): Self.program + name
      }
    }

    /// Whether the scene ends again, so that what it has changed is set back.
    var isLasting: Bool {
      switch self {
      case .output: false
      case .call, .program: true
      }
    }

    /// Returns whether a word is probably a mistake: an empty name, or a misspelt "call" or
    /// "program:".
    package static func isMistake(_ word: String) -> Bool {
      switch Occasion(word) {
      case .call: return false
      case .program(let name): return name.isEmpty
      case .output(let name):
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let isProgram = parts.count == 2 && ["program"].nearest(to: String(parts[0])) != nil
        return isProgram || ["calls", "program", "programs"].contains(name.lowercased())
      }
    }
  }

  package var occasion: Occasion? { when.map(Occasion.init) }
}

extension Scene {
  /// Returns why `name` is not valid for a new scene, as a sentence fragment, or nil if it is.
  package static func complaint(about name: String) -> String? {
    let isPlain = name.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_")
    }
    // These are subcommands of `earshot scene`.
    let isReserved = ["list", "save", "use", "delete", "help"].contains(name)
    return isPlain && (1...40).contains(name.count) && !isReserved
      ? nil : "a name has 1 to 40 letters, digits, - or _"
  }

  /// Creates a scene from the known noise and sound settings; gains only for the custom equaliser.
  package init(name: String, of headphone: HeadphoneState, output: String?, profile: String?) {
    let declarations = headphone.keptSettings.filter { declaration in
      if case .text = declaration.kind { return false }
      return [.noise, .sound].contains(declaration.group)
    }
    let preset = headphone.settings[.equaliserPreset].confirmed
    let isCustom = preset == EQPreset.custom.settingValue
    let wishes = declarations.compactMap { declaration -> Wish? in
      if declaration.id == .equaliserPreset, isCustom { return nil }
      if declaration.id == .equaliserBands, preset != nil, !isCustom { return nil }
      return headphone.wish(declaration)
    }
    self.init(
      name: name, wishes: wishes, output: output, profile: profile,
      correction: headphone.correction.choice.isOn ? "on" : nil)
  }
}
