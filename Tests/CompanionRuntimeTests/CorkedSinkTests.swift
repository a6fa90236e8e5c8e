import AudioRoute
import BluetoothCodec
import Companion
import CompanionRuntime
import Glibc
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing

/// A suspended sink must not stay suspended when its program was killed.
@MainActor @Suite struct HeldSinkTests {
  private static let sink = "virtual_output.00_00_00_00_00_01"
  private let folder = TemporaryFolder()
  private let audio = ScriptedAudioSource(headphones: [("Ear", "00:00:00:00:00:01")])

  private func effects(
    _ audio: (any AudioRouteSource)? = nil, clock: ManualClock = ManualClock()
  ) -> LiveEffectHandler {
    let audio = audio ?? self.audio
    return LiveEffectHandler(
      dependencies: Dependencies(
        radio: ScriptedRadio(), services: [],
        prepareDriver: { _, _ in { ScriptedDriver(bearer: $0, emitter: $1) } },
        makeAudio: { audio }, clock: clock,
        known: KnownHeadphones(in: folder.state)))
  }

  private var note: PrivateFile { folder.state.file("held-sink") }

  private func leaveNote(of sink: String) throws { try note.replace(with: Array(sink.utf8)) }

  /// Runs a program until it has seen the sound, and returns the actions that it sent.
  private func run(until isEnough: @escaping (Action) -> Bool) async -> [Action] {
    let live = effects()
    let (actions, continuation) = AsyncStream.makeStream(of: Action.self)
    await live.start(autoConnect: .never) { continuation.yield($0) }
    var sent: [Action] = []
    for await action in actions {
      sent.append(action)
      if isEnough(action) { break }
    }
    await live.stop()
    return sent
  }

  private static func activity(_ action: Action, is wanted: AudioSink.Activity) -> Bool {
    guard case .audio(.running(let sound)) = action else { return false }
    return sound.sink(named: sink)?.activity == wanted
  }

  @Test func `what a killed program held is let go at the next start, and that is reported`()
    async throws
  {
    try leaveNote(of: Self.sink)
    try await audio.perform(.setSuspended(sink: Self.sink, isSuspended: true))
    let sent = await run { Self.activity($0, is: .running) }
    #expect(
      sent.contains(
        .noted(
          .info, nil, "resuming \(Self.sink), which a killed earshot had suspended"))
    )
    #expect(try note.read() == nil)
  }

  @Test func `what a program holds that lives is left alone`() async throws {
    try leaveNote(of: Self.sink)
    let lock = open(note.path, O_RDWR | O_CLOEXEC)
    defer { close(lock) }
    try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
    try await audio.perform(.setSuspended(sink: Self.sink, isSuspended: true))
    let sent = await run { Self.activity($0, is: .suspended) }
    #expect(!sent.contains { Self.activity($0, is: .running) })
    #expect(try note.read() == Array(Self.sink.utf8))
  }

  @Test func `a sink that is gone is no trouble`() async throws {
    try leaveNote(of: "gone")
    let sent = await run { Self.activity($0, is: .running) }
    #expect(
      !sent.contains { if case .audioCommandFailed = $0 { true } else { false } })
    #expect(try note.read() == nil)
  }

  @Test func `an empty note means nothing`() async throws {
    try leaveNote(of: "")
    let sent = await run { Self.activity($0, is: .running) }
    #expect(!sent.contains { if case .noted(.info, _, _) = $0 { true } else { false } })
    #expect(try note.read() == nil)
  }

  @Test func `the note is there while the sink is held, and goes when it is let go`() async throws {
    let live = effects()
    let (observed, observation) = AsyncStream.makeStream(of: Action.self)
    await live.start(autoConnect: .never) { observation.yield($0) }
    live.begin(.audio(.setSuspended(sink: Self.sink, isSuspended: true))) { _ in }
    for await action in observed where Self.activity(action, is: .suspended) { break }
    #expect(try note.read() == Array(Self.sink.utf8))
    live.begin(.audio(.setSuspended(sink: Self.sink, isSuspended: false))) { _ in }
    await live.stop()
    #expect(try note.read() == nil)
  }

  @Test func `a sound server that hangs holds up neither files nor the end, and the note stays`()
    async throws
  {
    let clock = ManualClock()
    let hung = HungAudio()
    let live = effects(hung, clock: clock)
    live.begin(.audio(.setSuspended(sink: Self.sink, isSuspended: true))) { _ in }
    for await _ in hung.commands { break }
    let ear = KnownHeadphone(
      id: HeadphoneID(rawValue: "f0"), name: "Ear", address: PeerAddress(.init(value: 1), .random))
    live.begin(.remember(ear)) { _ in }
    let end = Task { await live.stop() }
    // The only time that passes is the limit of the release, which is the last to be waited for.
    await clock.sleepers(1, within: .seconds(3))
    #expect(try KnownHeadphones(in: folder.state).all().map(\.name) == ["Ear"])
    await clock.pass(.seconds(3))
    #expect(await end.value)
    #expect(try note.read() == Array(Self.sink.utf8))
  }

  @Test func `a sink that cannot be held leaves no note`() async throws {
    let live = effects()
    live.begin(.audio(.setSuspended(sink: "gone", isSuspended: true))) { _ in }
    await live.stop()
    #expect(try note.read() == nil)
  }
}

/// A sound server that accepts commands and never responds.
final class HungAudio: AudioRouteSource {
  let observations: AsyncStream<AudioObservation>
  private let observation: AsyncStream<AudioObservation>.Continuation
  /// The commands that were accepted.
  let commands: AsyncStream<AudioCommand>
  private let command: AsyncStream<AudioCommand>.Continuation

  init() {
    (observations, observation) = AsyncStream.makeStream()
    (commands, command) = AsyncStream.makeStream()
  }

  func perform(_ command: AudioCommand) async throws(AudioError) {
    self.command.yield(command)
    let (never, ringer) = AsyncStream.makeStream(of: Never.self)
    for await _ in never {}
    withExtendedLifetime(ringer) {}
  }
}
