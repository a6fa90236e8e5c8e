internal import BluetoothCodec

/// Noise control as an Edifier headphone reports and takes it: a slot, and a value in it.
struct EdifierNoise: Hashable, Sendable {
  /// The numbering of a headphone's values.
  enum Slot: UInt8, Hashable, Sendable {
    case headband = 0x10
    case buds = 0x1B

    /// The names of the values from 1 on.
    private var names: [String] {
      switch self {
      case .headband: ["deep", "comfort", "wind", "ambient", "off"]
      case .buds: ["cancelling-1", "cancelling-2", "cancelling-3", "wind", "ambient", "off"]
      }
    }

    var kinds: SettingDeclaration {
      var declaration = EdifierNoise.kind
      declaration.kind = SettingDeclaration.choices(names)
      return declaration
    }

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

    /// The value that has a mode: the present one where it has, else the first.
    func value(of mode: ANCMode, keeping present: UInt8) -> UInt8? {
      if let name = name(of: present), self.mode(of: name) == mode { return present }
      return names.first { self.mode(of: $0) == mode }.flatMap { value(named: $0) }
    }
  }

  var slot: Slot
  var value: UInt8
  var name: String

  var mode: ANCMode { slot.mode(of: name) }

  /// - Throws: for a slot that is not known, and a value without a name in it.
  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    slot = try reader.value(of: Slot.self)
    value = try reader.uint8()
    guard let name = slot.name(of: value) else { throw reader.impossible(value) }
    self.name = name
  }

  /// A choice among the kinds that the slot has.
  static let kind = SettingDeclaration(
    "noise-kind", SettingDeclaration.choices([]), title: "Noise control kind", label: "Kind",
    group: .noise)
}
