internal import BluetoothCodec

/// The serial number of a headphone, and the model that it identifies.
///
/// The answer to C006 is lines of text, "part,kind,value"; kind 4 is a serial number, of which the
/// first counts. According to one public project, its characters 5 and 6 are the number of the
/// model and colour.
struct NothingSerialNumber: Hashable, Sendable {
  let text: String

  init?(decoding bytes: Bytes) {
    for line in textFromAir(bytes).split(whereSeparator: \.isNewline) {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count == 3, fields[1] == "4", !fields[2].isEmpty else { continue }
      text = String(fields[2])
      return
    }
    return nil
  }

  var model: NothingModel? {
    // Every Ear (1) reports this number.
    if text == "12345678901234567" { return .ear1 }
    guard text.hasPrefix("SH") || text.hasPrefix("13"),
      let number = UInt8(text.dropFirst(4).prefix(2))
    else { return nil }
    return NothingModel.allCases.first { $0.numbers.contains(number) }
  }
}

/// A model with known numbers; the raw value is its name.
enum NothingModel: String, Hashable, Sendable, CaseIterable {
  case ear1 = "Nothing Ear (1)"
  case ear2 = "Nothing Ear (2)"
  case ear = "Nothing Ear"
  case earA = "Nothing Ear (a)"
  case earStick = "Nothing Ear (stick)"
  case buds = "CMF Buds"
  case budsPro = "CMF Buds Pro"
  case budsPro2 = "CMF Buds Pro 2"
  case neckbandPro = "CMF Neckband Pro"

  fileprivate var numbers: [UInt8] {
    switch self {
    case .ear1: [1, 2, 3, 4, 6, 7, 8, 10]
    case .earStick: [14, 15, 16]
    case .ear2: [17, 18, 19, 27, 28, 29]
    case .budsPro: Array(30...35)
    case .neckbandPro: Array(48...53)
    case .buds: Array(54...59)
    case .ear: [61, 62, 69, 70, 74, 75]
    case .earA: Array(63...68) + [71, 72, 73]
    case .budsPro2: Array(76...83)
    }
  }

  var hasListeningMode: Bool { self == .buds || self == .budsPro2 }

  var hasFitTest: Bool { [.ear2, .ear, .earA, .budsPro2].contains(self) }
}
