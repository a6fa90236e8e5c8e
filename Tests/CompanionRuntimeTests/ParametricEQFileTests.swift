import Companion
import CompanionRuntime
import Headphones
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
    #expect(
      throws: CommandError.file(
        .malformed(path: file.path, reason: "line 2: \"Fc\" is missing"))
    ) { try ParametricEQFile.read(file.path) }
    try file.replace(with: Array("Preamp: -2 dB".utf8))
    #expect(try ParametricEQFile.read(file.path).preamp == -2)
  }
}
