import Testing

@testable import CompanionRuntime

@Suite struct FileLockTests {
  private let folder = TemporaryFolder()
  private var file: PrivateFile { folder.state.file("list.json") }

  @Test func `a lock is one program's until it gives it back`() throws {
    let lockFile = folder.state.file("a.lock")
    let mine = try FileLock(lockFile)
    var others: FileLock? = try FileLock(lockFile)
    #expect(try others?.take() == true)
    #expect(try mine.take() == false)
    others = nil
    #expect(try mine.take())
  }

  @Test func `what several programs change at the same time is changed by all of them`()
    async throws
  {
    let file = file
    try file.replace(with: [])
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<25 {
            try file.alone(timeout: .seconds(60)) { () throws(FileError) in
              try file.replace(with: (try file.read() ?? []) + [1], isPrecious: false)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try file.read()?.count == 100)
  }

  @Test func `who is stopped in the middle of a change stops no other program`() throws {
    let stopped = try FileLock(folder.state.file("list.json.lock"))
    #expect(try stopped.take())
    #expect(file.alone(timeout: .zero) { "done" } == "done")
    withExtendedLifetime(stopped) {}
  }

  @Test func `a folder where no lock can be made takes no change either, and says so`() {
    let file = PrivateFile(path: "/proc/earshot/list.json")
    #expect(throws: FileError.self) {
      try file.alone { () throws(FileError) in try file.replace(with: []) }
    }
  }
}
