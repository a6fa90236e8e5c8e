/// A surface that meets bytes of others, as a function of those bytes.
///
/// Every input must come to an end without a trap, and keep what its target promises of all inputs. The
/// same targets run under libFuzzer (`scripts/fuzz`) and, on the inputs that are kept in `Corpus`, as tests.
enum FuzzTarget: String, CaseIterable {
  case advertising, hci, management, sdp, capture
  case att, gatt
  case earshot, nothing, soundcore, soundcoreSerial = "soundcore-serial", sony
  case galaxyBuds = "galaxy-buds", bose, huawei, oppo, airpods, fastPair = "fast-pair"
  case pixelBuds = "pixel-buds", sennheiser, jbl, qcy, vivo, edifier, redmi
  case hearingAid = "hearing-aid", serial, firmware
  case dbus, owner, terminal, configuration, state

  /// Feeds one input to the surface.
  ///
  /// - Throws: ``BrokenPromise`` where it does not do what it promises of every input.
  func run(_ bytes: [UInt8]) throws(BrokenPromise) {
    var input = FuzzInput(bytes)
    switch self {
    case .advertising: try fuzzAdvertising(&input)
    case .hci: try fuzzHCI(&input)
    case .management: try fuzzManagement(&input)
    case .sdp: try fuzzSDP(&input)
    case .capture: try fuzzCapture(&input)
    case .att: try fuzzATT(&input)
    case .gatt: try fuzzGATT(input)
    case .earshot: try fuzzEarshot(&input)
    case .nothing: try fuzzNothing(&input)
    case .soundcore: try fuzzSoundcore(&input)
    case .soundcoreSerial: try fuzzSoundcoreSerial(&input)
    case .sony: try fuzzSony(&input)
    case .galaxyBuds: try fuzzGalaxyBuds(&input)
    case .bose: try fuzzBose(&input)
    case .huawei: try fuzzHuawei(&input)
    case .oppo: try fuzzOppo(&input)
    case .airpods: try fuzzAirPods(&input)
    case .fastPair: try fuzzFastPair(&input)
    case .pixelBuds: try fuzzPixelBuds(&input)
    case .sennheiser: try fuzzSennheiser(&input)
    case .jbl: try fuzzJBL(&input)
    case .qcy: try fuzzQCY(&input)
    case .vivo: try fuzzVivo(&input)
    case .edifier: try fuzzEdifier(&input)
    case .redmi: try fuzzRedmi(&input)
    case .hearingAid: try fuzzHearingAid(&input)
    case .serial: try fuzzSerial(&input)
    case .firmware: try fuzzFirmware(&input)
    case .dbus: try fuzzDBus(&input)
    case .owner: try fuzzOwner(&input)
    case .terminal: try fuzzTerminal(&input)
    case .configuration: try fuzzConfiguration(&input)
    case .state: try fuzzState(&input)
    }
  }
}

/// What a surface promises of every input, and did not keep.
struct BrokenPromise: Error {
  var promise: String
}

/// - Throws: ``BrokenPromise`` with these words if it is not so.
func promise(_ isKept: Bool, _ words: @autoclosure () -> String) throws(BrokenPromise) {
  guard isKept else { throw BrokenPromise(promise: words()) }
}
