internal import BluetoothCodec

/// A model's layout of the answer to command 0101 over RFCOMM, and the scales of its batteries.
///
/// The answer identifies the model: its serial number begins with the model's four digits.
struct SoundcoreModel: Hashable, Sendable {
  /// What the answer begins with.
  enum Shape: Hashable, Sendable {
    /// Battery, charging, equaliser; firmware and serial number behind the sound modes (Life Q30).
    case firstHeadband
    /// Battery, charging, firmware, serial number.
    case headband
    /// Host, whether the buds are connected, level and charging of each, firmware of each, serial
    /// number.
    case buds

    /// The offset of the serial number of 16 characters, in bytes.
    var serial: Int {
      switch self {
      case .firstHeadband: 44
      case .headband: 7
      case .buds: 16
      }
    }

    /// The offsets of the 5 characters of each firmware version, in bytes.
    var firmwares: [Int] {
      switch self {
      case .firstHeadband, .headband: [serial - 5]
      case .buds: [6, 11]
      }
    }
  }

  static let five = BatteryScale.steps(5)

  var shape: Shape
  /// The offset of the sound modes and their width, in bytes; nil: the model has no noise control.
  var soundModes: (place: Int, width: Int)? {
    modesPlace.map { ($0, modesWidth) }
  }
  /// The scale of the buds or the headband.
  var scale = Self.five
  /// The offset of the case's level, in bytes; nil: the model reports none.
  var casePlace: Int?
  var caseScale = Self.five
  private var modesPlace: Int?
  private var modesWidth = 0

  private init(
    _ shape: Shape, modes: Int? = nil, width: Int = 0, scale: BatteryScale = five, case: Int? = nil,
    caseScale: BatteryScale = five
  ) {
    self.shape = shape
    (modesPlace, modesWidth) = (modes, width)
    self.scale = scale
    casePlace = `case`
    self.caseScale = caseScale
  }

  /// The models by their number, from the published layouts of another project.
  private static let numbers: [UInt16: SoundcoreModel] = {
    let ten = BatteryScale.steps(10, plus: 1)
    var models: [UInt16: SoundcoreModel] = [
      0x3004: .init(.headband, modes: 35, width: 4),
      0x3033: .init(.headband),
      0x3035: .init(.headband, modes: 69, width: 6),
      0x3040: .init(.headband, modes: 49, width: 6),
      0x3062: .init(.headband, modes: 69, width: 6, scale: ten),
      0x3936: .init(.buds, modes: 117, width: 6, case: 124, caseScale: .steps(10)),
      0x3945: .init(.buds),
      0x3947: .init(.buds, modes: 126, width: 7, case: 139),
      0x3952: .init(.buds, modes: 121, width: 6, case: 130),
      0x3954: .init(
        .buds, modes: 125, width: 4, scale: .percent, case: 37, caseScale: ten),
      0x3955: .init(.buds, modes: 119, width: 7, case: 37),
      0x3957: .init(
        .buds, modes: 119, width: 7, scale: ten, case: 37, caseScale: ten),
      0x3959: .init(.buds, modes: 64, width: 7, scale: .steps(10)),
      0x3968: .init(.buds, modes: 117, width: 6, case: 37),
    ]
    for number: UInt16 in [0x3027, 0x3028, 0x3029, 0x3030] {
      models[number] = .init(.firstHeadband, modes: 35, width: 4)
    }
    for number: UInt16 in [0x3031, 0x3931, 0x3935] {
      models[number] = .init(.buds, modes: 36, width: 4)
    }
    for number: UInt16 in [0x3909, 0x3926, 0x3933, 0x3948, 0x3949] { models[number] = .init(.buds) }
    return models
  }()

  /// The models with two connections, from the same project.
  static let withPairedDevices: Set<UInt16> = [
    0x3035, 0x3040, 0x3062, 0x3936, 0x3954, 0x3955, 0x3957, 0x3959, 0x3968,
  ]

  /// The model that the serial number in an answer names; nil: none that is known.
  ///
  /// Each shape's offset is tried, and counts only if the model found there has that shape.
  static func number(in state: Bytes) -> UInt16? {
    for shape in [Shape.headband, .buds, .firstHeadband] {
      let digits = String(decoding: state.dropFirst(shape.serial).prefix(4), as: UTF8.self)
      // Hexadecimal, as the service has it: A3947 is 0x3947.
      guard let number = UInt16(digits, radix: 16), numbers[number]?.shape == shape else {
        continue
      }
      return number
    }
    return nil
  }

  /// The model with a number; nil: its layout is not known.
  static subscript(number: UInt16) -> SoundcoreModel? { numbers[number] }

  /// The bytes of a command for sound modes.
  ///
  /// An order of another width than the model takes changes the settings behind it. The P31i
  /// reports 8 and takes 6; of the Liberty 5, which reports 7, sources disagree. A model that is
  /// not known takes 4 or 6 as it reports them, which no model contradicts.
  ///
  /// - Parameters:
  ///   - number: the model's; nil: not known.
  ///   - reported: bytes of the answer to command 0601.
  /// - Returns: nil where the width is not known: nothing is ordered then.
  static func orderWidth(of number: UInt16?, reported: Int) -> Int? {
    switch number {
    case 0x3957: return nil
    case 0x1202: return reported == 8 ? 6 : nil
    case let number?:
      if let model = numbers[number] {
        return model.modesPlace != nil && model.modesWidth == reported ? reported : nil
      }
      fallthrough
    case nil: return reported == 4 || reported == 6 ? reported : nil
    }
  }
}
