import BluetoothAttributes
import BluetoothCodec
import Glibc
import JSON
import TestSupport

@testable import Companion
@testable import Configuration
@testable import HeadphoneProtocols
@testable import Persistence

/// Feeds files that a user writes or downloads: configuration, model, driver, equaliser filters.
func fuzzConfiguration(_ input: inout FuzzInput) throws(BrokenPromise) {
  let kind = input.byte()
  let text = input.rest()
  let mistakes: [ConfigurationMistake]
  switch kind % 4 {
  case 0: mistakes = Configuration.read(text).mistakes
  case 1: mistakes = HeadphoneModel.read(text, id: "fuzz").mistakes
  case 3:
    let (table, wrong) = DriverTable.read(text, id: "fuzz", file: "fuzz.toml")
    mistakes = wrong
    try promise((table == nil) == !wrong.isEmpty, "a driver with a mistake is not used")
    if let table { try fuzzDriver(table) }
  default:
    _ = try? ParametricEQ(parsing: Array(text))
    return
  }
  let lines = text.count { $0 == UInt8(ascii: "\n") } + 1
  for mistake in mistakes {
    try promise(1...lines ~= mistake.line, "a mistake has a line of the file")
    try promise(displayable(mistake.what) == mistake.what, "a mistake can be shown")
  }
}

/// Checks a driver file: nothing harmful is sent, and frames are decoded as they were encoded.
private func fuzzDriver(_ table: DriverTable) throws(BrokenPromise) {
  var proto = FileProtocol(table)
  for value in (proto.questions() + proto.furtherQuestions()).flatMap(\.values) {
    try promise(proto.refusal(of: value) == nil, "a request that may be sent")
    for message in proto.messages(in: value) { _ = proto.receive(message) }
  }
  for declaration in proto.capabilities.declarations {
    let steps = [-1, 1].compactMap { declaration.step(nil, by: $0) }
    for value in steps { _ = try? proto.exchanges(for: .set(declaration.id, value)) }
  }
}

/// Feeds a table of corrections, or a user's file: nothing may clip, and PipeWire gets numbers.
func fuzzCorrection(_ input: inout FuzzInput) throws(BrokenPromise) {
  let bytes = Array(input.rest())
  let table = CorrectionTable(bytes)
  var curves = (0..<min(table.count, 20)).compactMap { table[$0]?.curve }
  if let own = try? ParametricEQ(parsing: bytes) { curves.append(own) }
  for curve in curves {
    let adjusted = curve.adjusted(strength: 100, bass: 6)
    try promise(adjusted.peak < 0.01, "a correction never clips")
    let text = CorrectionChain(target: "sink", slot: 0, description: "", curve: adjusted)
      .configuration
    try promise(!text.contains("nan") && !text.contains("inf"), "filters have finite numbers")
  }
  let name = String(decoding: bytes.prefix(60), as: UTF8.self)
  _ = table.match([name], maker: name)
  try promise(table.search(name).count <= 100, "a search ends")
}

/// Feeds the state files, which another program or a failing disk may have changed.
func fuzzState(_ input: inout FuzzInput) throws(BrokenPromise) {
  let kind = input.byte()
  let bytes = Array(input.rest())
  if let json = try? JSON(parsing: bytes) {
    let again = try? JSON(parsing: Array("\(json)".utf8))
    try promise(again == json, "what is written of JSON reads as the same")
    if let bond = Bond(json: json) {
      try promise(Bond(json: bond.json) == bond, "a bond that is written reads as the same")
    }
    if let cache = GATTCache(json: json) {
      try promise(GATTCache(json: cache.json) == cache, "a cache that is written reads as the same")
    }
  }
  let folder = StateFolder(path: StateFiles.shared.path)
  let names = ["devices.json", "equaliser.json", "bonds.json", "maker.key"]
  let name = names[Int(kind) % names.count]
  let file = folder.file(name)
  guard (try? file.replace(with: bytes)) != nil else { return }
  switch name {
  case "devices.json": _ = try? KnownHeadphones(in: folder).all()
  case "equaliser.json": _ = try? SavedEQs(in: folder).all()
  case "maker.key": _ = try? KeyFile.verifyingKey(at: file.path)
  default:
    _ = try? ListFile(file: file, key: "bonds", subject: "bonds").items().compactMap(
      Bond.init(json:))
  }
}

/// The folder for all inputs of the process.
private enum StateFiles {
  static let shared = TemporaryFolder()
}
