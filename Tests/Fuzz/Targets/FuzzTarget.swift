import HeadphoneProtocols

/// A surface that processes untrusted bytes, as a function of these bytes.
///
/// Every input must end without a trap, and keep the promises of its target. The same targets run
/// under libFuzzer (`scripts/fuzz`) and, with the inputs in `Corpus`, as tests.
struct FuzzTarget: Sendable {
  typealias Surface = @Sendable (inout FuzzInput) throws(BrokenPromise) -> Void

  /// The name for `scripts/fuzz`, and of the folder of its inputs.
  let name: String
  /// The description in docs/records/reliability.md.
  let words: String
  private let surface: Surface

  private init(_ name: String, _ words: String, _ surface: @escaping Surface) {
    self.name = name
    self.words = words
    self.surface = surface
  }

  /// All targets, in the order of docs/records/reliability.md.
  static let all = listed + makers

  /// A conversation with each maker without a target in the list.
  private static let makers = HeadphoneFamily.allCases.compactMap { family -> FuzzTarget? in
    guard !listed.contains(where: { $0.name == family.rawValue }) else { return nil }
    return family.serialProtocol.map { language in
      FuzzTarget(family.rawValue, "\(language.name), a conversation") {
        input throws(BrokenPromise) in try fuzz(language, &input)
      }
    }
  }

  /// The list, from which the script of docs/records/reliability.md reads names and words.
  private static let listed = [
    FuzzTarget("advertising", "advertisements of many devices, in parts", fuzzAdvertising),
    FuzzTarget("hci", "events and commands of a controller: scan, list of links", fuzzHCI),
    FuzzTarget("management", "events of the kernel's management channel", fuzzManagement),
    FuzzTarget("sdp", "answers of service discovery, in parts", fuzzSDP),
    FuzzTarget("capture", "captures, read and redacted", fuzzCapture),
    FuzzTarget("att", "the ATT engine: requests, cancellations, time, any PDU", fuzzATT),
    FuzzTarget("gatt", "a GATT client on a link to a hostile server, over sockets") {
      input throws(BrokenPromise) in try fuzzGATT(input)
    },
    FuzzTarget("earshot", "the project's own protocol: commands, fragments, events", fuzzEarshot),
    FuzzTarget("nothing", "Nothing and CMF, a conversation", fuzzNothing),
    FuzzTarget("soundcore", "Soundcore over GATT, a conversation", fuzzSoundcore),
    FuzzTarget("soundcore-serial", "Soundcore over RFCOMM, a conversation", fuzzSoundcoreSerial),
    FuzzTarget("sony", "Sony, a conversation", fuzzSony),
    FuzzTarget("galaxy-buds", "Galaxy Buds, a conversation", fuzzGalaxyBuds),
    FuzzTarget("bose", "Bose, a conversation", fuzzBose),
    FuzzTarget("huawei", "Huawei, a conversation", fuzzHuawei),
    FuzzTarget("oppo", "Oppo, Realme and OnePlus, a conversation", fuzzOppo),
    FuzzTarget("airpods", "AirPods and Beats, a conversation", fuzzAirPods),
    FuzzTarget("fast-pair", "Fast Pair, a conversation", fuzzFastPair),
    FuzzTarget("pixel-buds", "Pixel Buds, a conversation", fuzzPixelBuds),
    FuzzTarget("sennheiser", "Sennheiser, a conversation", fuzzSennheiser),
    FuzzTarget("jbl", "JBL, a conversation", fuzzJBL),
    FuzzTarget("qcy", "QCY, a conversation", fuzzQCY),
    FuzzTarget("vivo", "vivo, a conversation", fuzzVivo),
    FuzzTarget("edifier", "Edifier, a conversation", fuzzEdifier),
    FuzzTarget("redmi", "Redmi, a conversation", fuzzRedmi),
    FuzzTarget("1more", "1MORE, a conversation", fuzzOneMore),
    FuzzTarget("technics", "Technics, a conversation", fuzzTechnics),
    FuzzTarget(
      "hearing-aid", "presets of hearing aids, a conversation, and their other values",
      fuzzHearingAid),
    FuzzTarget(
      "broadcast", "what broadcasts advertise, and a conversation about them with a headphone",
      fuzzBroadcast),
    FuzzTarget("serial", "framed byte streams, cut anywhere", fuzzSerial),
    FuzzTarget("firmware", "firmware files and answers of an update", fuzzFirmware),
    FuzzTarget("dbus", "D-Bus values; bluetoothd's objects", fuzzDBus),
    FuzzTarget("owner", "messages on the owner's socket, of commands and screens", fuzzOwner),
    FuzzTarget(
      "terminal", "keys, mouse and other sequences; text on its way to the terminal", fuzzTerminal),
    FuzzTarget("configuration", "configuration, models, equaliser filters", fuzzConfiguration),
    FuzzTarget("state", "the files of the state", fuzzState),
    FuzzTarget("correction", "the table of corrections", fuzzCorrection),
  ]

  /// Feeds one input to the surface.
  ///
  /// - Throws: ``BrokenPromise`` if the surface breaks a promise.
  func run(_ bytes: [UInt8]) throws(BrokenPromise) {
    var input = FuzzInput(bytes)
    try surface(&input)
  }
}

extension FuzzTarget: CustomStringConvertible {
  var description: String { name }
}

/// A promise of a surface that an input has broken.
struct BrokenPromise: Error {
  var promise: String
}

/// Throws ``BrokenPromise`` with these words unless the promise is kept.
func promise(_ isKept: Bool, _ words: @autoclosure () -> String) throws(BrokenPromise) {
  guard isKept else { throw BrokenPromise(promise: words()) }
}
