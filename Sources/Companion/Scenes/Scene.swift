public import HeadphoneProtocols

/// Settings of a headphone, an output and an audio profile under one name: a table of `[scenes]`.
public struct Scene: Hashable, Sendable, Identifiable {
  /// A setting by its declared identifier, and its value as the command line takes it.
  public struct Wish: Hashable, Sendable {
    public var setting: SettingID
    /// The value as the command line takes it: "nc", "7", "on".
    public var word: String

    public init(_ setting: SettingID, _ word: String) {
      self.setting = setting
      self.word = word
    }
  }

  /// As the configuration names it: "desk".
  public var name: String
  /// In the order of the file.
  public var wishes: [Wish]
  /// Where the sound goes: "headphone", or a beginning of an output's address or name; nil: it
  /// stays where it is.
  public var output: String?
  /// "music", "calls", "off", or the beginning of a profile's or codec's name; nil: it stays.
  public var profile: String?
  /// "on" or "off": the measured correction; nil: it stays as it is.
  public var correction: String?
  /// The output on which it applies by itself, as ``output`` names one; nil: on none.
  ///
  /// Such a scene sets neither an output nor a profile, so that no two of them can chase the sound.
  public var when: String?

  /// Whether it switches the correction on or off; nil: neither, or with a word that means nothing.
  var switchesCorrection: Bool? {
    switch correction {
    case "on": true
    case "off": false
    default: nil
    }
  }

  /// The name: two scenes never have the same.
  public var id: String { name }

  public init(
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

  /// The ``output`` that stands for the headphone itself.
  public static let headphone = "headphone"
  /// How many scenes have a key.
  public static let keys = 1...5
}

extension Scene {
  /// Why a name cannot be that of a new scene; nil: it can.
  ///
  /// - Returns: A sentence fragment.
  public static func complaint(about name: String) -> String? {
    let isPlain = name.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_")
    }
    // These are subcommands of `earshot scene`.
    let isReserved = ["list", "save", "use", "delete", "help"].contains(name)
    return isPlain && (1...40).contains(name.count) && !isReserved
      ? nil : "a name has 1 to 40 letters, digits, - or _"
  }

  /// What a headphone has now, as a scene.
  ///
  /// Of the settings that concern noise and sound, those that are known; gains only of the custom
  /// equaliser.
  public init(name: String, of headphone: HeadphoneState, output: String?, profile: String?) {
    let declarations = (headphone.capabilities?.declarations ?? []).filter { declaration in
      switch declaration.kind {
      case .action, .reading, .text, .pairedDevices: false
      case .toggle, .choice, .level, .bands: [.noise, .sound].contains(declaration.group)
      }
    }
    let preset = headphone.settings[.equaliserPreset].confirmed
    let isCustom = preset == EQPreset.custom.settingValue
    let wishes = declarations.compactMap { declaration -> Wish? in
      if declaration.id == .equaliserPreset, isCustom { return nil }
      if declaration.id == .equaliserBands, preset != nil, !isCustom { return nil }
      return headphone.settings[declaration.id].confirmed.map { Wish(declaration.id, $0.text) }
    }
    self.init(
      name: name, wishes: wishes, output: output, profile: profile,
      correction: headphone.correction.choice.isOn ? "on" : nil)
  }
}
