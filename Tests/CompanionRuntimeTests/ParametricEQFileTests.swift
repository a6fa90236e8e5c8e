import Companion
import CompanionRuntime
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing

@Suite struct ParametricEQFileTests {
  private let temporary = TemporaryFolder()
  private var folder: StateFolder { temporary.state }

  @Test func `a text to import is reported with its path and line`() throws {
    let file = folder.file("curve.txt")
    #expect(
      throws: CommandError.file(.malformed(path: file.path, reason: "there is no such file"))
    ) { try ParametricEQFile.read(file.path) }
    try file.replace(with: Array("\nFilter 1: ON PK".utf8))
    let refusal = #expect(throws: CommandError.self) { try ParametricEQFile.read(file.path) }
    let lines = refusal?.message.split(separator: "\n") ?? []
    #expect(lines.count == 2 && lines[0] == "\(file.path): line 2: \"Fc\" is missing")
    #expect(lines[1].contains("AutoEq, EqualizerAPO or Room EQ Wizard"))
    try file.replace(with: Array("Preamp: -2 dB".utf8))
    #expect(try ParametricEQFile.read(file.path).preamp == -2)
  }
}
