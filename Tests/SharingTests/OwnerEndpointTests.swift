import CompanionRuntime
import EventLoop
import Foundation
import Glibc
import Locking
import TestSupport
import Testing

@testable import Sharing

/// The meeting point of processes, protected from other users and hostile or stopped processes.
@Suite final class OwnerEndpointTests {
  private let folder: String
  private let place: OwnerEndpoint

  init() throws {
    var template = Array("/tmp/earshot-meeting-XXXXXX".utf8CString)
    folder = String(cString: try #require(mkdtemp(&template)))
    place = OwnerEndpoint(folder: "\(folder)/earshot", adapter: "hci7")
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Opens the endpoint, which sends each client's lines back.
  private func open(to user: UInt32? = nil) throws -> OwnerListener {
    let listener = try #require(place.tryOpen(to: user).listener)
    Task {
      await listener.serve { channel in
        while let line = await channel.next() {
          guard await channel.send(line) else { return }
        }
      }
    }
    return listener
  }

  @Test func `lines travel both ways`() async throws {
    let listener = try open()
    let channel = try #require(place.connect())
    for text in ["", "one", "ü\u{1F3A7}", String(repeating: "x", count: 60_000)] {
      #expect(await channel.send(text.utf8))
      #expect(await channel.next() == Array(text.utf8))
    }
    await listener.close()
  }

  @Test func `there is one owner at a time, and the next one after it`() async throws {
    #expect(place.connect() == nil)
    let listener = try open()
    #expect(place.open() == nil)
    await listener.close()
    #expect(place.connect() == nil)
    let next = try open()
    let channel = try #require(place.connect())
    #expect(await channel.send("still".utf8))
    #expect(await channel.next() == Array("still".utf8))
    await next.close()
  }

  @Test func `a socket that a killed owner left behind is no hindrance`() async throws {
    let listener = try open()
    try FileManager.default.moveItem(atPath: place.socket, toPath: place.socket + ".old")
    await listener.close()
    try FileManager.default.moveItem(atPath: place.socket + ".old", toPath: place.socket)
    #expect(place.connect() == nil)
    let next = try open()
    #expect(place.connect() != nil)
    await next.close()
  }

  @Test func `a folder may be deeper than a socket's address is long`() async throws {
    let deep = "\(folder)/\(String(repeating: "runtime/", count: 20))earshot"
    try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
    #expect(chmod(deep, 0o700) == 0)
    let place = OwnerEndpoint(folder: deep, adapter: nil)
    let listener = try #require(place.open())
    let channel = place.connect()
    #expect(channel != nil)
    #expect(place.open() == nil)
    await listener.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: deep) == ["adapter.lock"])
  }

  @Test func `those of other adapters do not meet`() async throws {
    let listener = try open()
    let other = OwnerEndpoint(folder: place.folder, adapter: "hci8")
    #expect(other.connect() == nil)
    let second = try #require(other.open())
    await second.close()
    await listener.close()
  }

  @Test func `only the user comes in`() async throws {
    let listener = try open(to: getuid() + 1)
    let channel = try #require(place.connect())
    #expect(await channel.next() == nil)
    await listener.close()
  }

  @Test func `the folder is the user's alone`() async throws {
    let listener = try open()
    for path in [place.folder, place.socket] {
      var status = stat()
      #expect(stat(path, &status) == 0)
      #expect(status.st_mode & 0o077 == 0)
    }
    // A folder that others can write is not trusted, from neither side.
    chmod(place.folder, 0o777)
    #expect(place.connect() == nil)
    await listener.close()
    #expect(place.open() == nil)
  }

  @Test func `a folder that is a link elsewhere is not trusted`() throws {
    mkdir("\(folder)/elsewhere", 0o700)
    symlink("\(folder)/elsewhere", place.folder)
    #expect(place.open() == nil)
  }

  @Test func `without a runtime folder there is no place`() {
    #expect(OwnerEndpoint(adapter: nil, environment: { _ in nil }) == nil)
    #expect(OwnerEndpoint(adapter: nil, environment: { _ in "relative" }) == nil)
  }

  @Test func `a line without an end ends the connection`() async throws {
    let listener = try open()
    let channel = try #require(place.connect())
    _ = await channel.send(String(repeating: "x", count: 1 << 17).utf8)
    #expect(await channel.next() == nil)
    // Others are served all the same.
    let other = try #require(place.connect())
    #expect(await other.send("hello".utf8))
    #expect(await other.next() == Array("hello".utf8))
    await listener.close()
  }

  @Test func `who takes nothing holds up nobody`() async throws {
    let listener = try open()
    let sleeper = try #require(place.connect())
    let flood = Task {
      // Never reads what comes back: soon the other side can send it no more.
      while await sleeper.send(String(repeating: "z", count: 30_000).utf8) {}
    }
    let other = try #require(place.connect())
    for number in 0..<200 {
      #expect(await other.send("\(number)".utf8))
      #expect(await other.next() == Array("\(number)".utf8))
    }
    await sleeper.close()
    await flood.value
    await listener.close()
  }

  @Test func `a client that says nothing has some seconds`() async throws {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
    defer { close(ends[1]) }
    let (connection, clock) = (LineConnection(ends[0], longest: 100), ManualClock())
    async let line = OwnerListener.firstLine(of: connection, by: clock)
    await clock.sleepers(1)
    await clock.pass(OwnerListener.hearing)
    #expect(await line == nil)
    await connection.close()
  }

  @Test func `a crowd is turned away, and let in when others have left`() async throws {
    let listener = try open()
    var clients: [LineConnection] = []
    for _ in 0..<OwnerListener.maximumClients {
      let client = try #require(place.connect())
      #expect(await client.send("in".utf8))
      #expect(await client.next() != nil)
      clients.append(client)
    }
    let late = try #require(place.connect())
    #expect(await late.send("in".utf8))
    // Without a word it would take the owner for gone.
    guard case .message? = await late.next().flatMap(OwnerMessage.init(line:)) else {
      Issue.record("it is not told why")
      return
    }
    #expect(await late.next().flatMap(OwnerMessage.init(line:)) == .end(.failed))
    #expect(await late.next() == nil)
    // Nor is one cut off beside others that were turned away and say nothing.
    var silent: [LineConnection] = []
    while silent.count < OwnerListener.maximumClients {
      // The backlog is full until the listener has accepted some of them.
      if let client = place.connect() { silent.append(client) } else { await Task.yield() }
    }
    var connected: LineConnection?
    while connected == nil {
      connected = place.connect()
      await Task.yield()
    }
    let last = try #require(connected)
    guard case .message? = await last.next().flatMap(OwnerMessage.init(line:)) else {
      Issue.record("the last one is not told why")
      return
    }
    for client in clients + silent { await client.close() }
    var isIn = false
    while !isIn {
      guard let again = place.connect() else { continue }
      _ = await again.send("in".utf8)
      isIn = await again.next() == Array("in".utf8)
    }
    await listener.close()
  }

  @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM, EPROTO, EPERM])
  func `who cannot be let in now is let in later, and nothing turns in circles`(
    errno: Int32
  ) async throws {
    let clock = ManualClock()
    let attempts = Atomic(0)
    let listener = try #require(
      place.tryOpen(clock: clock) { listener in
        if attempts.add(1, ordering: .relaxed).newValue <= 3 { return .failed(errno) }
        return OwnerEndpoint.accept(listener)
      }.listener)
    Task { await listener.serve { _ = await $0.send("in".utf8) } }
    let client = try #require(place.connect())
    for attempt in 1...3 {
      await clock.sleepers(1)
      #expect(attempts.load(ordering: .relaxed) == attempt)
      await clock.pass(OwnerListener.backOff)
    }
    #expect(await client.next() == Array("in".utf8))
    await listener.close()
  }

  @Test func `no program that is started meanwhile inherits a connection`() async throws {
    let flags = Atomic<Int32>(0)
    let listener = try #require(
      place.tryOpen { listener in
        let accepted = OwnerEndpoint.accept(listener)
        if case .done(let descriptor) = accepted {
          flags.store(fcntl(Int32(descriptor), F_GETFD), ordering: .relaxed)
        }
        return accepted
      }.listener)
    Task { await listener.serve { _ = await $0.send("in".utf8) } }
    let client = try #require(place.connect())
    #expect(await client.next() == Array("in".utf8))
    #expect(flags.load(ordering: .relaxed) & FD_CLOEXEC != 0)
    await listener.close()
  }

  @Test func `there is no second owner while the first one accepts nobody`() async throws {
    let clock = ManualClock()
    // It never serves, as when it is suspended: its backlog fills up.
    let listener = try #require(place.open())
    var clients: [LineConnection] = []
    while let client = place.connect() { clients.append(client) }
    let place = place
    let role = Task { await place.join(within: .seconds(20), clock: clock) }
    while clock.now.sinceStart <= .seconds(3) {
      await clock.pass(.milliseconds(500))
    }
    // Asleep again, it has found the place taken.
    await clock.sleepers(1)
    await listener.close()
    await clock.pass(.seconds(1))
    #expect(await role.value?.isOwner == true)
    #expect(clock.now.sinceStart > .seconds(2))
  }

  @Test func `an owner that accepts nobody is given up after the time-out`() async throws {
    let listener = try #require(place.open())
    var clients: [LineConnection] = []
    while let client = place.connect() { clients.append(client) }
    #expect(await place.join(within: .zero) == nil)
    await listener.close()
  }

  @Test func `two senders never mix their lines`() async throws {
    let listener = try #require(place.open())
    let (lines, received) = AsyncStream.makeStream(of: [UInt8].self)
    Task {
      await listener.serve { connection in
        while let line = await connection.next() { received.yield(line) }
        received.finish()
      }
    }
    let client = try #require(place.connect())
    // Longer together than the socket's buffer, so that each waits in the middle of a line.
    let texts = ["a", "b", "c"].map { String(repeating: $0, count: 60_000) }
    await withTaskGroup(of: Void.self) { group in
      for text in texts {
        group.addTask { for _ in 0..<20 { #expect(await client.send(text.utf8)) } }
      }
    }
    await client.close()
    var counts: [[UInt8]: Int] = [:]
    for await line in lines { counts[line, default: 0] += 1 }
    #expect(counts == Dictionary(uniqueKeysWithValues: texts.map { (Array($0.utf8), 20) }))
    await listener.close()
  }
}
