import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Companion
import EventLoop
import Glibc
import HeadphoneDrivers
import HeadphoneProtocols
import TestSupport
import Testing

@testable import CompanionRuntime
@testable import Persistence

/// A slow disk or a stopped process must not delay the screen or the links.
@MainActor @Suite struct BlockingFileTests {
  private let folder = TemporaryFolder()
  private let adapter = BluetoothAddress(value: 0x001A_7DDA_7113)
  private let io = FileIO(threadName: "test-files")

  private var key: BondKey {
    .longTerm(
      LongTermKey(
        peer: ManagementPeer(earPeer), kind: .authenticatedP256, central: 0, encryptionSize: 16,
        encryptedDiversifier: 0, random: 0, key: SecretKey(1, 2)))
  }

  /// Runs `body` while the file thread is in a call that does not return.
  private func whileDiskHangs(
    _ body: () async throws -> Void
  ) async throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (reader, writer) = (ends[0], ends[1])
    let (hanging, hangs) = AsyncStream<Void>.makeStream()
    let hung = Task { [io] in
      await io.run {
        hangs.yield()
        var byte: UInt8 = 0
        _ = read(reader, &byte, 1)
      }
    }
    defer {
      close(writer)
      hung.cancel()
    }
    for await _ in hanging { break }
    try await body()
  }

  /// Checks that neither the main actor nor the poll thread is blocked.
  private func expectThreadsAreFree() async {
    let polled = PolledCounter()
    for number in 1...100 { #expect(await polled.next() == number) }
  }

  @Test func `a hung disk`() async throws {
    let bondFile = BondFile(in: folder.state, on: io)
    var saving: Task<Void, Never>?
    try await whileDiskHangs {
      bondFile.keep(key, of: adapter)
      saving = Task { await bondFile.flush() }
      await expectThreadsAreFree()
      while !bondFile.isBonded(earPeer) { await Task.yield() }
      #expect(access(folder.state.file("bonds.json").path, F_OK) != 0)
    }
    await saving?.value
    #expect(await BondFile(in: folder.state).bonds() == bondFile.cachedBonds)
  }

  @Test func `a path of a person on a mount that hangs holds up none of the program's own files`()
    async throws
  {
    let live = LiveEffectHandler(
      dependencies: Dependencies(
        radio: ScriptedRadio(), services: [],
        prepareDriver: { _, _ in { ScriptedDriver(bearer: $0, emitter: $1) } },
        makeAudio: { SilentAudio() }, clock: ManualClock(),
        known: KnownHeadphones(in: folder.state)))
    let (rejections, rejection) = AsyncStream.makeStream(of: Action.self)
    try await whileDiskHangs {
      try await FileIO.$named.withValue(io) {
        live.begin(.importEQ(ear, path: "/mnt/dead/eq.txt")) { rejection.yield($0) }
        live.begin(.completePath("/mnt/dead/")) { rejection.yield($0) }
        live.begin(.remember(KnownHeadphone(id: ear, name: "Ear", address: earPeer))) { _ in }
        #expect(await live.stop())
        let kept = try KnownHeadphones(in: folder.state).all()
        #expect(kept.map(\.name) == ["Ear"])
        // What is named ends, too, and says why.
        let stalled = CommandError.file(.stalled(path: "/mnt/dead/eq.txt"))
        await #expect(throws: stalled) {
          try await FileIO.named.open("/mnt/dead/eq.txt", within: .milliseconds(20)) {}
        }
      }
    }
    withExtendedLifetime(rejections) {}
  }

  @Test func `a path of a person on a mount that hangs holds up no hook`() async throws {
    let hooks = HookRunner(clock: ContinuousClock())
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    try await whileDiskHangs {
      await FileIO.$named.withValue(io) {
        let run = HookRun(.connected, .program(["true"]), headphone: ear, variables: [:])
        hooks.run(run) {
          if case .noted(_, _, let text) = $0 { line.yield(text) }
        }
        for await text in lines {
          #expect(text == "hook connected has run")
          break
        }
      }
    }
  }

  @Test func `a disk that is slow at the start holds up neither keys nor what follows`()
    async throws
  {
    try KnownHeadphones(in: folder.state).remember(
      KnownHeadphone(id: ear, name: "Ear", address: earPeer))
    let program = Program(in: folder)
    let store = program.store
    var starting: Task<Void, Never>?
    try await whileDiskHangs {
      await FileIO.$shared.withValue(io) {
        starting = Task { await program.start(.never) }
        await program.clock.pass(.seconds(3))
        await program.until {
          $0.log.lines.contains { $0.text.contains("the disk does not answer") }
        }
        #expect(store.state.headphones.isEmpty)
        store.send(.pressed(.help))
        #expect(store.state.page == .help(line: 0))
      }
    }
    await starting?.value
    #expect(store.state.headphones.map(\.name) == ["Ear"])
    await program.effects.stop()
  }

  @Test func `a stopped process that holds a lock`() async throws {
    let stopped = try FileLock(folder.state.file("bonds.json.lock"))
    try #require(try stopped.acquire())
    let bondFile = BondFile(in: folder.state, on: io)
    bondFile.keep(key, of: adapter)
    let saving = Task { await bondFile.flush() }
    await expectThreadsAreFree()
    await saving.value
    #expect(bondFile.failure == .locked(path: folder.state.file("bonds.json").path))
    withExtendedLifetime(stopped) {}
  }

  @Test func `the services of a headphone are read and written on the thread of files`()
    async throws
  {
    let drivers = HeadphoneConnection.drivers(
      keepingIn: KnownHeadphones(in: folder.state), on: io, clock: ManualClock())
    let radio = ScriptedRadio()
    radio.comeBack()
    let bearer = try await radio.connect(to: earPeer, timeout: .seconds(1))
    var making: Task<any HeadphoneDriver, Never>?
    try await whileDiskHangs {
      making = Task { await drivers(ear, earPeer)(bearer, EventEmitter.makeStream().emitter) }
      await expectThreadsAreFree()
    }
    #expect(await making?.value != nil)
    bearer.close(.user)
  }

  @Test func `a link that comes up waits for no disk, which was read before`() async throws {
    let bonds = WatchedBonds()
    let drivers = HeadphoneConnection.drivers(
      keepingIn: KnownHeadphones(in: folder.state), on: io, bonds: bonds, clock: ManualClock())
    let makeDriver = drivers(ear, earPeer)
    for await _ in bonds.readings { break }
    // It was read in a piece of work that has ended by now.
    await io.run {}
    let radio = ScriptedRadio()
    let bearer = try await radio.connect(to: earPeer, timeout: .seconds(1))
    try await whileDiskHangs {
      _ = await makeDriver(bearer, EventEmitter.makeStream().emitter)
    }
    bearer.close(.user)
  }
}

/// An empty bond store that reports each read.
private struct WatchedBonds: BondStore {
  let readings: AsyncStream<Void>
  private let reading: AsyncStream<Void>.Continuation

  init() { (readings, reading) = AsyncStream.makeStream() }

  var cachedBonds: [Bond] {
    reading.yield()
    return []
  }

  func bonds() async -> [Bond] { [] }
  func keep(_ key: BondKey, of adapter: BluetoothAddress) {}
  func flush() async {}
  func drop(_ identity: PeerAddress) async {}
}

/// A counter on the thread that polls the links.
private actor PolledCounter {
  private var number = 0
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    PollLoop.shared.asUnownedSerialExecutor()
  }

  func next() -> Int {
    number += 1
    return number
  }
}
