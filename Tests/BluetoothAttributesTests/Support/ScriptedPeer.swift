import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import EventLoop
import TestSupport
import Testing

/// A peer that follows a script byte by byte over a real descriptor pair.
struct ScriptedPeer {
  enum Step: Sendable {
    /// The next PDU must be this one, in hexadecimal.
    case expects(String)
    case expectsAnything
    case says(String)
    case hangsUp
    /// Runs code of the test.
    case runs(@Sendable () async -> Void)
  }

  let bearer: SocketBearer
  let steps: [Step]

  /// Returns the client's end of a new link, and the peer with the other end.
  static func connected(
    hooks: LinkCallbacks = LinkCallbacks(), _ steps: [Step]
  ) throws -> (any Bearer, ScriptedPeer) {
    let (ours, theirs) = try SocketBearer.packetPair()
    let bearer = try SocketBearer(descriptor: ours, loop: .shared, hooks: hooks)
    let far = try SocketBearer(descriptor: theirs, loop: .shared)
    return (bearer, ScriptedPeer(bearer: far, steps: steps))
  }

  /// Plays the whole script; the link stays open unless the script ends it.
  func play() async {
    do {
      for (number, step) in steps.enumerated() {
        switch step {
        case .expects(let pdu):
          let received = try await bearer.receive()
          #expect(received == hex(pdu), "step \(number)")
        case .expectsAnything: _ = try await bearer.receive()
        case .says(let pdu): try await bearer.send(hex(pdu))
        case .hangsUp: bearer.close(.user)
        case .runs(let body): await body()
        }
      }
    } catch {
      Issue.record("the link ended during the script: \(error)")
    }
  }
}

/// Runs `body` with a client whose peer plays a script; both must end.
func withClient(
  clock: any Clock<Duration> = ManualClock(), options: GATTOptions = GATTOptions(),
  hooks: LinkCallbacks = LinkCallbacks(), script steps: [ScriptedPeer.Step],
  _ body: @Sendable (GATTClient) async throws -> Void
) async throws {
  let (bearer, peer) = try ScriptedPeer.connected(hooks: hooks, steps)
  let client = GATTClient(bearer: bearer, clock: clock, options: options)
  async let played: Void = peer.play()
  do {
    try await body(client)
  } catch {
    // The script may wait for what the body did not come to.
    peer.bearer.close(.user)
    throw error
  }
  await played
  await client.close()
  peer.bearer.close(.user)
}
