import EventLoop
import Foundation
import Glibc
import Testing

@Suite final class FileChangesTests {
  private let folder: String

  init() throws {
    var template = Array("/tmp/earshot-changes-XXXXXX".utf8CString)
    folder = String(cString: try #require(mkdtemp(&template)))
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func write(_ text: String, _ path: String) throws {
    let file = try #require(fopen(path, "w"))
    fputs(text, file)
    fclose(file)
  }

  /// Performs each step once the change before it was reported; ends after the last.
  private func tells(
    _ path: String, after steps: [() throws -> Void]
  ) async throws {
    var steps = steps[...]
    for await _ in PollLoop.shared.changes(ofFile: path) {
      guard let step = steps.popFirst() else { return }
      try step()
    }
    Issue.record("the changes ended")
  }

  @Test func `a file that is written, replaced and removed is reported each time`() async throws {
    let path = folder + "/file"
    try await tells(
      path,
      after: [
        { try self.write("1", path) },
        { try self.write("2", path) },
        {
          try self.write("3", self.folder + "/new")
          rename(self.folder + "/new", path)
        },
        { unlink(path) },
      ])
  }

  @Test func `the folders of a file may come later`() async throws {
    let path = folder + "/a/b/file"
    try await tells(
      path,
      after: [
        { mkdir(self.folder + "/a", 0o700) },
        { mkdir(self.folder + "/a/b", 0o700) },
        { try self.write("1", path) },
      ])
  }

  @Test func `a change behind a symbolic link is reported`() async throws {
    let target = folder + "/target"
    try write("1", target)
    mkdir(folder + "/links", 0o700)
    symlink(target, folder + "/links/file")
    try await tells(folder + "/links/file", after: [{ try self.write("2", target) }])
  }

  @Test func `another file beside it is not reported`() async throws {
    let path = folder + "/file"
    var count = 0
    for await _ in PollLoop.shared.changes(ofFile: path) {
      count += 1
      guard count == 1 else {
        // The first change that is told comes after the other file's: the file is there.
        #expect(access(path, R_OK) == 0)
        return
      }
      try write("x", folder + "/other")
      try write("1", path)
    }
  }
}
