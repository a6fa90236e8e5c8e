import TestSupport
import Testing

@testable import Persistence

@Suite struct FileLockTests {
  private let folder = TemporaryFolder()
  private var file: PrivateFile { folder.state.file("list.json") }

  @Test func `a lock is one program's until it gives it back`() throws {
    let lockFile = folder.state.file("a.lock")
    let mine = try FileLock(lockFile)
    var others: FileLock? = try FileLock(lockFile)
    #expect(try others?.acquire() == true)
    #expect(try mine.acquire() == false)
    others = nil
    #expect(try mine.acquire())
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
            try file.withLock(timeout: .seconds(60)) { () throws(FileError) in
              try file.replace(with: (try file.read() ?? []) + [1], isPrecious: false)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try file.read()?.count == 100)
  }

  @Test func `a lock that is never released is an error, and nothing is changed`() throws {
    let stopped = try FileLock(folder.state.file("list.json.lock"))
    #expect(try stopped.acquire())
    #expect(throws: FileError.locked(path: file.path)) {
      try file.withLock(timeout: .zero) { () throws(FileError) in try file.replace(with: [1]) }
    }
    #expect(try file.read() == nil)
    withExtendedLifetime(stopped) {}
  }

  @Test func `a folder where no lock can be made takes no change either, and says so`() {
    let file = PrivateFile(path: "/proc/earshot/list.json")
    #expect(throws: FileError.self) {
      try file.withLock { () throws(FileError) in try file.replace(with: []) }
    }
  }
}
