/// The noise control of an Edifier headphone: a slot, and a value of that slot.
struct EdifierNoise: Hashable, Sendable {
  enum Slot: UInt8, Hashable, Sendable {
    case headband = 0x10
    case buds = 0x1B

    private var names: [String] {
      switch self {
      case .headband: ["deep", "comfort", "wind", "ambient", "off"]
      case .buds: ["cancelling-1", "cancelling-2", "cancelling-3", "wind", "ambient", "off"]
      }
    }

    var kinds: SettingDeclaration { SettingDeclaration(EdifierNoise.kind, .choices(names)) }

    func name(of value: UInt8) -> String? {
      value > 0 && Int(value) <= names.count ? names[Int(value) - 1] : nil
    }

    func value(named name: String) -> UInt8? {
      names.firstIndex(of: name).map { UInt8($0 + 1) }
    }

    func mode(of name: String) -> ANCMode {
      switch name {
      case "off": .off
      case "ambient": .transparency
      default: .noiseCancelling
      }
    }

    /// Returns the value for a mode: the current value if it has this mode, else the first.
    func value(of mode: ANCMode, keeping present: UInt8) -> UInt8? {
      if let name = name(of: present), self.mode(of: name) == mode { return present }
      return names.first { self.mode(of: $0) == mode }.flatMap { value(named: $0) }
    }
  }

  var slot: Slot
  var value: UInt8

  var name: String? { slot.name(of: value) }

  static let kind: SettingID = "noise-kind"

  /// Applies the value, or its number if the value has no name.
  func apply(to reported: inout ReportedValues) {
    if let name {
      reported.apply(slot.kinds, .choice(name))
      reported.apply(slot.mode(of: name))
    } else {
      reported.apply(slot.kinds, unnamed: value)
      reported.apply(unnamedMode: value)
    }
  }
}
