import Companion
import Headphones
import Persistence
import TestSupport
import Testing

@Suite struct `The file of saved presets` {
  private let temporary = TemporaryFolder()
  private var folder: StateFolder { temporary.state }

  private func gains(_ halves: Int8...) -> [BandGain] {
    halves.compactMap { BandGain(halfDecibels: $0) }
  }

  @Test func `keeps, replaces, renames and deletes`() throws {
    let file = SavedEQs(in: folder)
    #expect(try file.all() == [])
    _ = try file.apply(.keep(SavedEQ(name: "b", gains: gains(1, -3))))
    _ = try file.apply(.keep(SavedEQ(name: "a", gains: gains(24, -24))))
    let both = [SavedEQ(name: "a", gains: gains(24, -24)), SavedEQ(name: "b", gains: gains(5))]
    #expect(try file.apply(.keep(both[1])) == both)
    #expect(try file.all() == both)
    #expect(try file.apply(.rename("a", to: "c")).map(\.name) == ["b", "c"])
    #expect(try file.apply(.delete("b")).map(\.name) == ["c"])
    #expect(try file.apply(.delete("never there")).map(\.name) == ["c"])
  }

  @Test(arguments: [
    "", "[]", "{\"version\": 2, \"presets\": []}", "{\"version\": 1}", "\u{0}\u{1}",
  ])
  func `that makes no sense is reported and not touched`(text: String) throws {
    let file = folder.file("equaliser.json")
    try file.replace(with: Array(text.utf8))
    #expect(throws: FileError.self) {
      try SavedEQs(in: folder).apply(.keep(SavedEQ(name: "a", gains: gains(1))))
    }
    #expect(try file.read() == Array(text.utf8))
  }

  @Test(arguments: [
    #"{"name": "", "bands": [1]}"#, #"{"name": "x", "bands": []}"#,
    #"{"name": "x", "bands": [99]}"#, #"{"name": "x", "bands": ["1"]}"#,
    #"{"name": "a\u001bb", "bands": [1]}"#, #"{"bands": [1]}"#, "7",
  ])
  func `leaves out what no headphone could take`(entry: String) throws {
    let text = #"{"version": 1, "presets": [{"name": "good", "bands": [0.5, -12]}, \#(entry)]}"#
    try folder.file("equaliser.json").replace(with: Array(text.utf8))
    #expect(try SavedEQs(in: folder).all() == [SavedEQ(name: "good", gains: gains(1, -24))])
  }
}
