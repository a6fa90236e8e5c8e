import AudioRoute
import Companion
import Foundation
import Persistence
import TestSupport
import Testing

@testable import Diagnostics

@Suite struct ExaminationTests {
  private let terminal = TerminalFacts(type: nil, isKnown: false, colors: 0, size: nil)

  @Test func `an examination tells every check and changes nothing`() async {
    let folder = TemporaryFolder()
    let results = await examine(
      adapter: nil, folder: folder.state, terminal: terminal, heldLinks: { [] },
      buttons: { ButtonFacts(mode: .auto, desktop: nil) },
      soundSettings: { SoundSettingFacts(SoundRules(), isApplied: false) },
      sound: { .unavailable(.noServer) })
    #expect(results.map(\.check) == Check.machine)
    #expect(
      results.first { $0.check == .soundServer }?.what == "no sound server: sound is not shown")
    #expect(results.first { $0.check == .stateFolder }?.state == .ok)
    #expect(!FileManager.default.fileExists(atPath: folder.state.path))
  }

  @Test func `a folder is seen with its mode`() throws {
    let folder = TemporaryFolder()
    #expect(FolderFacts(folder.state).condition == .canBeMade)
    try folder.state.file("known.json").replace(with: [])
    #expect(
      FolderFacts(folder.state).condition == .exists(mode: 0o700, isWritable: true, isOwn: true))
    let file = StateFolder(path: folder.state.path + "/known.json")
    #expect(FolderFacts(file).condition == .notAFolder)
    #expect(FolderFacts(StateFolder(path: "/proc/1/earshot")).condition == .cannotBeMade)
  }
}
