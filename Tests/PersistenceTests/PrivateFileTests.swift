import Companion
import FirmwareCrypto
import Glibc
import HeadphoneProtocols
import TestSupport
import Testing

@testable import Persistence

/// Files that another user has prepared, and paths that are not regular files.
@Suite struct PrivateFileTests {
  private let folder = TemporaryFolder()
  private var file: PrivateFile { folder.state.file("file") }

  private func names() throws -> [String] {
    let stream = try #require(opendir(folder.state.path))
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  @Test func `a file that was planted under the name of a temporary one stays as it is`() throws {
    try file.makeFolder()
    let planted = folder.state.file("file.\(getpid())")
    try planted.create(with: Array("planted".utf8))
    let descriptor = open(planted.path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    try file.replace(with: Array("secret".utf8))
    #expect(try planted.read() == Array("planted".utf8))
    #expect(try file.read() == Array("secret".utf8))
    #expect(try names() == ["file", "file.\(getpid())"], "and no temporary file stays")
  }

  @Test func `what is written to a path goes where it leads, and makes no folder`() throws {
    #expect(throws: FileError.self) { try file.write([1]) }
    try file.makeFolder()
    let link = folder.state.file("link")
    try #require(symlink(file.path, link.path) == 0)
    try file.create(with: Array("older and longer".utf8))
    chmod(file.path, 0o644)
    try link.write(Array("new".utf8))
    var status = stat()
    #expect(lstat(link.path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try file.read() == Array("new".utf8))
    try PrivateFile(path: "/dev/null").write([1])
    #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    #expect(throws: FileError.system(errno: ENOSPC, during: "write", path: "/dev/full")) {
      try PrivateFile(path: "/dev/full").write([1])
    }
    #expect(try names() == ["file", "link"])
  }

  @Test func `a signing key reaches no file that was there before`() throws {
    try file.makeFolder()
    let name = folder.state.path + "/acme"
    let key = try #require(SigningKey(seed: [UInt8](repeating: 7, count: 32)[...]))
    for planted in ["\(name).key.\(getpid())", "\(name).pub.\(getpid())"] {
      try PrivateFile(path: planted).create(with: [])
    }
    try KeyFile.write(key, to: name)
    #expect(try PrivateFile(path: "\(name).key.\(getpid())").read() == [])
    #expect(try KeyFile.signingKey(at: "\(name).key").seed == key.seed)
  }

  @Test func `a signing key is written neither over a file nor through a link`() throws {
    try file.makeFolder()
    let name = folder.state.path + "/acme"
    let key = try #require(SigningKey(seed: [UInt8](repeating: 7, count: 32)[...]))
    try #require(symlink("\(folder.state.path)/elsewhere", "\(name).pub") == 0)
    #expect(throws: FileError.self) { try KeyFile.write(key, to: name) }
    #expect(try names() == ["acme.pub"], "neither of the two is left")
  }

  @Test func `a replaced file that cannot be renamed leaves nothing behind`() throws {
    try file.makeFolder()
    try #require(mkdir(file.path, 0o700) == 0)
    // The name that the user knows, not that of the temporary file.
    #expect(throws: FileError.system(errno: EISDIR, during: "rename", path: file.path)) {
      try file.replace(with: [1])
    }
    #expect(try names() == ["file"])
  }

  @Test func `an error of a temporary file names the file that was meant`() {
    #expect(throws: FileError.system(errno: ENOENT, during: "open", path: "/proc/list.json")) {
      try PrivateFile(path: "/proc/list.json").replace(with: [1])
    }
  }

  @Test(arguments: [0o600, 0o644, 0o664, 0o640] as [mode_t])
  func `a file that is rewritten keeps its mode`(mode: mode_t) throws {
    let file = folder.state.file("config.toml")
    try file.rewrite(with: [1])
    chmod(file.path, mode)
    try file.rewrite(with: [2, 3])
    var status = stat()
    #expect(stat(file.path, &status) == 0 && status.st_mode & 0o7777 == mode)
    #expect(try file.read() == [2, 3])
  }

  @Test func `a file that is rewritten keeps its other names`() throws {
    let (file, other) = (folder.state.file("config.toml"), folder.state.file("other.toml"))
    try file.rewrite(with: [1, 2, 3])
    try #require(link(file.path, other.path) == 0)
    try file.rewrite(with: [4])
    #expect(try other.read() == [4])
    #expect(try names().count == 2)
  }

  @Test(arguments: ["there.toml", "in/there.toml", nil])
  func `a link leads to its file, whether that exists or not`(target: String?) throws {
    let file = folder.state.file("config.toml")
    let there = folder.state.file(target ?? "there.toml")
    try file.makeFolder()
    // A relative and an absolute one, behind each other.
    try #require(symlink(target ?? there.path, folder.state.file("next").path) == 0)
    try #require(symlink("next", file.path) == 0)
    #expect(file.destination == there && there.destination == there)
    try file.destination.rewrite(with: [1])
    #expect(try there.read() == [1] && file.read() == [1])
    unlink(there.path)
    try #require(symlink(file.path, there.path) == 0)
    #expect(file.destination == file, "links in a circle")
  }

  /// The limit applies to the process, so the test needs another one.
  @Test func `a file that may not grow keeps what it had`() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let file = folder.state.file("config.toml")
      try file.rewrite(with: [1, 2, 3])
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 5, rlim_max: 5)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let error = FileError.system(errno: EFBIG, during: "write", path: file.path)
      #expect(throws: error) { try file.rewrite(with: [4, 5, 6, 7, 8, 9]) }
      #expect(throws: error) { try file.replace(with: [UInt8](repeating: 7, count: 6)) }
      #expect(try file.read() == [1, 2, 3])
    }
  }

  /// Paths that a user may type, each of which once blocked the caller or was read without end.
  enum Special: CaseIterable {
    case pipe, directory, device, huge
  }

  private func path(of special: Special) throws -> String {
    try file.makeFolder()
    switch special {
    case .pipe: try #require(mkfifo(file.path, 0o600) == 0)
    case .directory: try #require(mkdir(file.path, 0o700) == 0)
    case .device: return "/dev/zero"
    case .huge:
      try file.create(with: [])
      try #require(truncate(file.path, 1 << 40) == 0)
    }
    return file.path
  }

  @Test(arguments: Special.allCases) func `is refused at once`(_ special: Special) throws {
    let path = try path(of: special)
    let expected: FileError =
      switch special {
      case .pipe: .notAFile(path: path, kind: .pipe)
      case .directory: .notAFile(path: path, kind: .directory)
      case .device: .notAFile(path: path, kind: .device)
      case .huge: .malformed(path: path, reason: "longer than 1048576 bytes")
      }
    #expect(throws: expected) { try PrivateFile(path: path).read() }
    #expect(throws: FileError.self) { try PrivateFile(path: path).read(atMost: 64 << 20) }
    #expect(throws: FileError.self) { try KeyFile.verifyingKey(at: path) }
    var log = LogTail(PrivateFile(path: path))
    if special != .huge { #expect(throws: FileError.self) { try log.newLines() } }
  }
}
