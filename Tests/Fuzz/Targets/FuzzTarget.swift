/// A surface that meets bytes of others, as a function of those bytes.
///
/// Every input must come to an end without a trap, and keep what its target promises of all inputs. The
/// same targets run under libFuzzer (`scripts/fuzz`) and, on the inputs that are kept in `Corpus`, as tests.
struct FuzzTarget: Sendable {
  typealias Surface = @Sendable (inout FuzzInput) throws(BrokenPromise) -> Void

  /// The name for `scripts/fuzz`, and of the folder of its inputs.
  let name: String
  private let surface: Surface

  private init(_ name: String, _ surface: @escaping Surface) {
    self.name = name
    self.surface = surface
  }

  static let all = [
    FuzzTarget("advertising", fuzzAdvertising),
    FuzzTarget("hci", fuzzHCI),
    FuzzTarget("management", fuzzManagement),
    FuzzTarget("sdp", fuzzSDP),
    FuzzTarget("capture", fuzzCapture),
    FuzzTarget("att", fuzzATT),
    FuzzTarget("gatt") { input throws(BrokenPromise) in try fuzzGATT(input) },
    FuzzTarget("earshot", fuzzEarshot),
    FuzzTarget("nothing", fuzzNothing),
    FuzzTarget("soundcore", fuzzSoundcore),
    FuzzTarget("soundcore-serial", fuzzSoundcoreSerial),
    FuzzTarget("sony", fuzzSony),
    FuzzTarget("galaxy-buds", fuzzGalaxyBuds),
    FuzzTarget("bose", fuzzBose),
    FuzzTarget("huawei", fuzzHuawei),
    FuzzTarget("oppo", fuzzOppo),
    FuzzTarget("airpods", fuzzAirPods),
    FuzzTarget("fast-pair", fuzzFastPair),
    FuzzTarget("pixel-buds", fuzzPixelBuds),
    FuzzTarget("sennheiser", fuzzSennheiser),
    FuzzTarget("jbl", fuzzJBL),
    FuzzTarget("qcy", fuzzQCY),
    FuzzTarget("vivo", fuzzVivo),
    FuzzTarget("edifier", fuzzEdifier),
    FuzzTarget("redmi", fuzzRedmi),
    FuzzTarget("1more", fuzzOneMore),
    FuzzTarget("technics", fuzzTechnics),
    FuzzTarget("hearing-aid", fuzzHearingAid),
    FuzzTarget("broadcast", fuzzBroadcast),
    FuzzTarget("serial", fuzzSerial),
    FuzzTarget("firmware", fuzzFirmware),
    FuzzTarget("dbus", fuzzDBus),
    FuzzTarget("owner", fuzzOwner),
    FuzzTarget("terminal", fuzzTerminal),
    FuzzTarget("configuration", fuzzConfiguration),
    FuzzTarget("state", fuzzState),
    FuzzTarget("correction", fuzzCorrection),
  ]

  /// Feeds one input to the surface.
  ///
  /// - Throws: ``BrokenPromise`` where it does not do what it promises of every input.
  func run(_ bytes: [UInt8]) throws(BrokenPromise) {
    var input = FuzzInput(bytes)
    try surface(&input)
  }
}

extension FuzzTarget: CustomStringConvertible {
  var description: String { name }
}

/// What a surface promises of every input, and did not keep.
struct BrokenPromise: Error {
  var promise: String
}

/// - Throws: ``BrokenPromise`` with these words if it is not so.
func promise(_ isKept: Bool, _ words: @autoclosure () -> String) throws(BrokenPromise) {
  guard isKept else { throw BrokenPromise(promise: words()) }
}
