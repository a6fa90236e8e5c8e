import BluetoothCodec
import Companion
import EventLoop
import Glibc
import HeadphoneProtocols
import TestSupport
import Testing

@testable import CompanionRuntime
@testable import Persistence

/// The number of writes of a battery history and the list of headphones.
@MainActor @Suite struct HeldWriteTests {
  private let program = Program()
  private var known: KnownHeadphones { KnownHeadphones(in: program.folder.state) }

  private func sample(_ minute: Int64, level: UInt8 = 50) -> ChargeSample {
    var sample = ChargeSample(minute: minute)
    sample[.left] = ChargeSample.Charge(level: level, isCharging: false)
    return sample
  }

  private func keep(_ samples: [ChargeSample], of id: HeadphoneID = ear) {
    for sample in samples { program.effects.begin(.keepCharge(id, sample)) { _ in } }
  }

  @Test func `a flood is one write in some seconds, and the last of it is saved at the end`()
    async throws
  {
    let writes = try WriteCounter(in: program.folder)
    func flood(_ minute: Int) -> [ChargeSample] {
      (1...100).map { sample(Int64(minute), level: $0) }
    }
    for round in 0..<3 {
      #expect(program.clock.sleeping == 0)
      keep(flood(round))
      await program.clock.sleepers(1)
      #expect(writes.count == round)
      await program.clock.pass(LiveEffectHandler.writeDelay)
      while writes.count == round { await Task.yield() }
      await program.effects.saved()
      #expect(writes.count == round + 1)
    }
    keep(flood(3) + [sample(4, level: 3)])
    #expect(await program.effects.stop())
    #expect(writes.count == 4)
    let last = (0..<4).map { sample($0, level: 100) } + [sample(4, level: 3)]
    #expect(try known.charges(of: ear).samples == last)
  }

  @Test func `a disk that hangs has one write to do, and then one with all that came meanwhile`()
    async throws
  {
    let writes = try WriteCounter(in: program.folder)
    let io = FileIO(threadName: "test-files")
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (reader, writer) = (ends[0], ends[1])
    let (hanging, hangs) = AsyncStream<Void>.makeStream()
    let hung = Task {
      await io.run {
        hangs.yield()
        var byte: UInt8 = 0
        _ = read(reader, &byte, 1)
      }
    }
    for await _ in hanging { break }
    await FileIO.$shared.withValue(io) {
      keep([sample(1)])
      await program.clock.pass(LiveEffectHandler.writeDelay)
      while program.effects.saving == nil { await Task.yield() }
      for minute in 2...100 {
        keep([sample(Int64(minute))])
        // Nobody sleeps while a write hangs.
        program.clock.jump(by: LiveEffectHandler.writeDelay)
      }
      #expect(program.clock.sleeping == 0)
    }
    close(writer)
    await hung.value
    close(reader)
    #expect(await program.effects.stop())
    #expect(writes.count == 2)
    #expect(try known.charges(of: ear).samples.map(\.minute) == Array(1...100))
  }

  @Test func `samples that could not be written are tried again, before later ones`() async throws {
    // A file where the folder belongs.
    let folder = PrivateFile(path: program.folder.state.path)
    try folder.replace(with: [])
    keep([sample(1), sample(2)])
    await program.clock.sleepers(1)
    await program.clock.pass(LiveEffectHandler.writeDelay)
    while program.effects.saving == nil { await Task.yield() }
    await program.effects.saved()
    try folder.remove()
    keep([sample(3)])
    #expect(await program.effects.stop())
    #expect(try known.charges(of: ear).samples.map(\.minute) == [1, 2, 3])
  }

  private func remember(_ name: String, of id: HeadphoneID = ear) {
    program.effects.begin(.remember(headphone(name, of: id))) { _ in }
  }

  private func headphone(
    _ name: String, of id: HeadphoneID = ear, soundPin: String? = nil
  ) -> KnownHeadphone {
    KnownHeadphone(
      id: id, name: name, address: PeerAddress(BluetoothAddress(value: 1), .public),
      soundPin: soundPin.map { SoundDevice.ID($0) })
  }

  @Test func `a headphone is saved at once, and a flood of names is one write in some seconds`()
    async throws
  {
    let writes = try WriteCounter(of: "devices", in: program.folder)
    remember("first")
    await program.effects.saving?.value
    #expect(try known.all().map(\.name) == ["first"])
    for round in 1..<4 {
      for number in 1...100 { remember("\(round).\(number)") }
      await program.clock.sleepers(1)
      #expect(writes.count == round)
      await program.clock.pass(LiveEffectHandler.writeDelay)
      while writes.count == round { await Task.yield() }
      await program.clock.sleepers(1)
      #expect(writes.count == round + 1)
      #expect(try known.all().map(\.name) == ["\(round).100"])
    }
    // A pause ends it, and the next one is saved at once.
    await program.clock.pass(LiveEffectHandler.writeDelay)
    while program.effects.heldWrites.isAwaited { await Task.yield() }
    #expect(program.clock.sleeping == 0)
    remember("after")
    await program.effects.saving?.value
    #expect(writes.count == 5)
    for number in 1...100 { remember("last \(number)") }
    #expect(await program.effects.stop())
    #expect(writes.count == 6)
    #expect(try known.all().map(\.name) == ["last 100"])
  }

  @Test func `a part that is saved is not undone by what waited`() async throws {
    remember("first")
    remember("second")
    program.effects.begin(.keep(.soundPin, of: headphone("second", soundPin: "card:pinned"))) {
      _ in
    }
    var moved = headphone("second")
    moved.sound.wasHere = true
    program.effects.begin(.keep(.sound, of: moved)) { _ in }
    #expect(await program.effects.stop())
    let saved = try #require(try known.all().first)
    #expect(saved.name == "second")
    #expect(saved.soundPin == SoundDevice.ID("card:pinned"))
    #expect(saved.sound.wasHere)
  }

  @Test func `a history that is written last does not hide that the list is not`() async throws {
    try program.folder.state.file("devices.json").replace(with: Array("no list".utf8))
    keep([sample(1)])
    remember("lost")
    #expect(await program.effects.stop())
    #expect(try known.charges(of: ear).samples == [sample(1)])
    #expect(program.effects.unsaved != nil)
  }

  @Test func `a headphone that could not be saved is saved with the next one`() async throws {
    let list = program.folder.state.file("devices.json")
    try list.replace(with: Array("no list".utf8))
    remember("lost")
    await program.effects.saving?.value
    #expect(program.effects.unsaved != nil)
    // A disk that stays full is not written to again and again.
    await program.clock.pass(LiveEffectHandler.writeDelay)
    while program.effects.heldWrites.isAwaited { await Task.yield() }
    #expect(program.clock.sleeping == 0)
    try list.remove()
    remember("another", of: HeadphoneID(rawValue: "another"))
    #expect(await program.effects.stop())
    #expect(try Set(known.all().map(\.name)) == ["lost", "another"])
    #expect(program.effects.unsaved == nil)
  }

  @Test func `a headphone that could not be saved and is forgotten stays forgotten`() async throws {
    let list = program.folder.state.file("devices.json")
    try list.replace(with: Array("no list".utf8))
    remember("lost")
    program.effects.begin(.forget(ear)) { _ in }
    await program.effects.saving?.value
    try list.remove()
    #expect(await program.effects.stop())
    #expect(try known.all() == [])
  }

  @Test func `a headphone that is forgotten while its name waits stays forgotten`() async throws {
    remember("first")
    remember("second")
    program.effects.begin(.forget(ear)) { _ in }
    #expect(await program.effects.stop())
    #expect(try known.all() == [])
  }

  @Test(arguments: [
    Effect.forget(ear), .drop(ear), .merge(ear, with: HeadphoneID(rawValue: "older")),
  ])
  func `what waits of a headphone that goes is not written`(effect: Effect) async throws {
    let writes = try WriteCounter(in: program.folder)
    keep([sample(1)])
    keep([sample(1)], of: HeadphoneID(rawValue: "another"))
    program.effects.begin(effect) { _ in }
    #expect(await program.effects.stop())
    #expect(writes.count == 1)
    #expect(try known.charges(of: ear).samples == [])
  }
}

/// A counter of replaced files of one kind in a folder.
private final class WriteCounter {
  private let watch = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
  private let prefix: String
  private var counted = 0

  /// Creates a counter of files whose names begin with `prefix`.
  init(of prefix: String = "battery-", in folder: TemporaryFolder) throws {
    self.prefix = prefix
    // The first write would make it, too late to be watched.
    try folder.state.file("present").replace(with: [])
    // Of two renames to one name in a row the kernel reports one: what is created stands between them.
    let events = UInt32(IN_CREATE | IN_MOVED_TO)
    try #require(inotify_add_watch(watch, folder.path, events) >= 0)
  }

  deinit { close(watch) }

  var count: Int {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let size = read(watch, &buffer, buffer.count)
      guard size > 0 else { return counted }
      var event = buffer.prefix(size)
      let header = MemoryLayout<inotify_event>.size
      while event.count >= header {
        let fields = event.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
        let name = String(
          decoding: event.dropFirst(header).prefix(Int(fields.len)), as: UTF8.self)
        if fields.mask & UInt32(IN_MOVED_TO) != 0, name.hasPrefix(prefix) { counted += 1 }
        event = event.dropFirst(header + Int(fields.len))
      }
    }
  }
}
