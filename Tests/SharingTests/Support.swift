import AudioRoute
import BluetoothRadio
import Companion
import CompanionRuntime
import Glibc
import HeadphoneProtocols
import Locking
import Persistence
import TerminalUI
import TestSupport
import Testing
import VirtualHeadphones

@testable import Sharing

/// Returns the two ends of a socket pair.
func connectedPair() -> (client: LineConnection, owner: LineConnection) {
  var ends: [Int32] = [-1, -1]
  let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
  precondition(socketpair(AF_UNIX, kind, 0, &ends) == 0)
  return (
    LineConnection(ends[0], longest: 1 << 22, clock: ManualClock()),
    LineConnection(ends[1], longest: 1 << 16, clock: ManualClock())
  )
}

/// A console that records the output in order, and supplies input lines.
final class RecordingConsole: Console {
  let isInteractive: Bool
  let showsProgress: Bool
  let style = TextStyle.plain
  private let written = Mutex<[String]>([])
  private let lines: Mutex<[String]>
  private let (changes, change) = AsyncStream.makeStream(of: Void.self)

  var text: [String] { written.withLock { $0 } }

  init(isTerminal: Bool = true, typing lines: [String] = []) {
    isInteractive = isTerminal
    showsProgress = isTerminal
    self.lines = Mutex(lines)
  }

  var hasResponded: Bool { text.contains { $0.hasPrefix("out ") } }

  func data(_ text: String) { write("out \(text)") }
  func message(_ text: String) { write("err \(text)") }
  func progress(_ text: String) { write("progress \(text)") }

  private func write(_ text: String) {
    written.withLock { $0.append(text) }
    change.yield()
  }

  /// Waits for the next output; for one waiter at a time.
  func next() async { for await _ in changes { return } }

  func deliver(_ text: String) async -> Bool {
    data(text)
    return true
  }

  func line() async -> String? { lines.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}

/// A handler that runs a closure for each command; a client has to parse "help" itself.
struct ScriptedHandler: RequestHandler {
  var command: @MainActor @Sendable (ClientRequest) async -> CompanionRuntime.ExitStatus? = { _ in
    .ok
  }

  func prepare(_ request: Request) async -> PreparedCommand {
    PreparedCommand(
      CommandTraits(isEndless: request.arguments.first == "watch"),
      canBeHandedOver: request.arguments.first != "help", run: command)
  }

  func screenOptions(of request: Request) async throws(Request.Refusal) -> ScreenClientOptions {
    guard request.arguments.isEmpty else { throw Request.Refusal(why: "unknown option") }
    return ScreenClientOptions()
  }
}

/// An owner whose app has no headphones and no sound.
@MainActor
struct TestOwner {
  let folder = TemporaryFolder()
  let clock = ManualClock()
  let store: Store
  let owner: Owner

  init(_ handler: ScriptedHandler = ScriptedHandler()) throws {
    let dependencies = Dependencies(
      radio: VirtualRadio(headphones: [], clock: ManualClock()), services: [],
      prepareDriver: { _, _ in preconditionFailure("no headphone is connected") },
      makeAudio: { ScriptedAudioSource(headphones: []) }, clock: clock,
      known: KnownHeadphones(in: StateFolder(path: folder.path)),
      now: { Timestamp(milliseconds: 0) }, jitter: { 1 })
    let effects = LiveEffectHandler(dependencies: dependencies)
    store = Store(handler: effects, now: dependencies.now)
    let endpoint = OwnerEndpoint(
      folder: String(folder.path.dropLast("/state".count)), adapter: nil)
    let listener = try #require(endpoint.open())
    owner = Owner(listener, store: store, effects: effects, handler: handler) { .init() }
  }

  /// Connects a client that the owner serves.
  func connect() -> LineConnection {
    let (client, owner) = connectedPair()
    Task {
      await self.owner.receive(owner)
      await owner.close()
    }
    return client
  }
}

extension LineConnection {
  /// Returns the owner's next message, or nil after the end of the connection.
  func message() async -> OwnerMessage? { await next().flatMap(OwnerMessage.init(line:)) }
}
