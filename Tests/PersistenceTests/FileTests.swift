import BluetoothAttributes
import BluetoothCodec
import Companion
import Glibc
import HeadphoneProtocols
import Logging
import Persistence
import TestSupport
import Testing

@Suite struct FileTests {
  private let folder = TemporaryFolder()
  private let ear = KnownHeadphone(
    id: HeadphoneID(rawValue: "ear"), name: "Ear \u{1B}[31m\"耳\"",
    address: PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random),
    publicAddress: "00:00:00:00:00:01",
    lastUsed: Timestamp(milliseconds: 5))

  @Test func `what is remembered is known in the next run, the last used first`() throws {
    let known = KnownHeadphones(in: folder.state)
    #expect(try known.all() == [])
    try known.remember(ear)
    var bud = ear
    bud.id = HeadphoneID(rawValue: "bud")
    bud.publicAddress = nil
    bud.lastUsed = Timestamp(milliseconds: 6)
    try known.remember(bud)
    try known.remember(ear)
    #expect(try KnownHeadphones(in: folder.state).all() == [bud, ear])
    try known.forget(bud.id)
    #expect(try known.all() == [ear])
  }

  @Test(arguments: KnownHeadphone.Part.allCases)
  func `a part that is kept leaves what another process has changed`(part: KnownHeadphone.Part)
    throws
  {
    let known = KnownHeadphones(in: folder.state)
    var changed = ear
    changed.sound.wasHere = true
    changed.soundPin = SoundDevice.ID("speakers")
    changed.correction.isOn = true
    changed.sightings[.left] = Sighting(at: Timestamp(milliseconds: 7), place: nil)
    changed.confirmedSettings = [.noiseMode]
    changed.name = "Elsewhere"
    try known.remember(ear)
    try known.keep(part, of: changed)
    var expected = ear
    expected.replace(part, from: changed)
    #expect(try known.all() == [expected])
    #expect(expected != ear)
  }

  @Test(arguments: [nil, "virtual-families"])
  func `virtual headphones are kept apart, those of each environment`(other: String?) throws {
    let known = KnownHeadphones(in: folder.state, environment: "virtual")
    let others = KnownHeadphones(in: folder.state, environment: other)
    let cache = GATTCache(hash: DatabaseHash(0..<16), database: Database(services: []))
    try known.remember(ear)
    try known.keep(cache, of: ear.id)
    #expect(try others.all() == [])
    #expect(others.cache(of: ear.id) == nil)
    try others.forget(ear.id)
    #expect(try known.all() == [ear])
    #expect(known.cache(of: ear.id) == cache)
  }

  @Test func `a folder that a person has mistyped is not made`() throws {
    let path = folder.state.path + "/gone/new.fw"
    let missing = FileError.malformed(
      path: path, reason: "the folder \(folder.state.path)/gone does not exist; create it first")
    #expect(throws: missing) {
      try PrivateFile(path: path).replace(with: [1], makesFolder: false)
    }
    #expect(access(folder.state.path, F_OK) != 0)
    try PrivateFile(path: path).replace(with: [1])
    try PrivateFile(path: path).replace(with: [2], makesFolder: false)
    #expect(try PrivateFile(path: path).read() == [2])
  }

  @Test func `only the owner reads what is kept`() throws {
    try KnownHeadphones(in: folder.state).remember(ear)
    for (path, mode) in [
      (folder.state.path, UInt32(0o700)), (folder.state.path + "/devices.json", 0o600),
    ] {
      var status = stat()
      #expect(stat(path, &status) == 0)
      #expect(status.st_mode & 0o777 == mode)
    }
  }

  @Test(arguments: ["[]", #"{"version":2,"devices":[]}"#, "{", ""])
  func `a file that makes no sense is an error and stays`(text: String) throws {
    let file = folder.state.file("devices.json")
    try file.replace(with: Array(text.utf8))
    let known = KnownHeadphones(in: folder.state)
    #expect(throws: FileError.self) { try known.remember(ear) }
    #expect(try file.read() == Array(text.utf8))
  }

  @Test func `entries that make no sense are left out`() throws {
    try folder.state.file("devices.json").replace(
      with: Array(
        #"{"version":1,"devices":[{"id":"x"},3,{"id":"y","address":"a","addressType":"b"}]}"#.utf8))
    #expect(try KnownHeadphones(in: folder.state).all() == [])
  }

  @Test func `a folder that cannot be made is an error with its path`() {
    let file = PrivateFile(path: "/proc/earshot/x")
    #expect(throws: FileError.system(errno: ENOENT, during: "mkdir", path: "/proc/earshot/x")) {
      try file.replace(with: [])
    }
  }

  @Test func `XDG_STATE_HOME counts when it is absolute`() {
    func path(_ variables: [String: String]) -> String { StateFolder { variables[$0] }.path }
    #expect(path(["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/earshot")
    #expect(path(["XDG_STATE_HOME": "s", "HOME": "/h"]) == "/h/.local/state/earshot")
  }

  @Test func `the log is lines, and text from the air forges none`() throws {
    let file = folder.state.file("earshot.log")
    var logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    logger.handler = try LogFile(file, subsystem: "app", level: .info)
    logger.write(LogLine(at: Timestamp(milliseconds: 0), level: .debug, text: "not asked for"))
    logger.write(
      LogLine(
        at: Timestamp(milliseconds: 0), level: .warning, headphone: HeadphoneID(rawValue: "ear"),
        text: "a\nb\u{1B}[m"))
    LogFile.flush()
    let text = String(decoding: try file.read() ?? [], as: UTF8.self)
    #expect(text.hasSuffix(" warning app headphone=ear part=app: a b [m\n"))
    #expect(text.split(separator: "\n").count == 1)
  }
}
