import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Companion
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing

@testable import CompanionRuntime

@MainActor @Suite struct SetMemberConnectionTests {
  private let radio = ScriptedRadio()
  private let clock = ManualClock()
  private let other = PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F6), .random)

  private func set() throws -> CoordinatedSet {
    CoordinatedSet(key: try #require(SetKey(Array(0...15)[...])), size: 2, side: .left)
  }

  /// Returns the ready link of the first member, and its reports of the second one.
  private func linked(
    by radio: any Radio
  ) async throws -> (HeadphoneConnection, Task<LinkEvent, Never>, AsyncStream<SetMember>) {
    let set = try set()
    let connection = HeadphoneConnection(ear, radio: radio, clock: clock) { _, _ in
      { ScriptedDriver(bearer: $0, in: set, emitter: $1) }
    }
    let (ready, readiness) = AsyncStream<Void>.makeStream()
    let (members, member) = AsyncStream<SetMember>.makeStream()
    let run = Task {
      await connection.run(to: earPeer) { report in
        switch report {
        case .link(.ready): readiness.yield()
        case .link(.member(let reported)): member.yield(reported)
        default: break
        }
      }
    }
    for await _ in ready { break }
    return (connection, run, members)
  }

  @Test func `a member that is awaited and fails at the edge of the range is awaited again`()
    async throws
  {
    let (connection, run, members) = try await linked(by: radio)
    radio.script(attempts: [.timedOut, .timedOut])
    connection.listen(forMember: other)
    for seconds in [1, 2] {
      await clock.pass(.seconds(seconds))
    }
    for await member in members {
      #expect(member.address == other && member.isLinked)
      break
    }
    #expect(radio.attempts == [earPeer, other, other, other])
    run.cancel()
    _ = await run.value
  }

  @Test func `a member that nobody awaits any more is left alone in the pause`() async throws {
    let (connection, run, _) = try await linked(by: radio)
    radio.script(attempts: [.timedOut])
    connection.listen(forMember: other)
    await clock.sleepers(1)
    connection.stopListening(forMember: other)
    await connection.members?.ending[other]?.value
    #expect(clock.sleeping == 0)
    #expect(radio.attempts == [earPeer, other])
    run.cancel()
    _ = await run.value
  }

  private struct PairingRadio: ForwardingRadio {
    let base: any Radio
    let identity: PeerAddress

    func identity(of peer: PeerAddress) async -> PeerAddress { identity }
  }

  @Test func `a paired member is reported by its identity, by which it can be awaited`()
    async throws
  {
    let paired = PairingRadio(base: radio, identity: other)
    let (connection, run, members) = try await linked(by: paired)
    let passing = PeerAddress(BluetoothAddress(value: 0x5A00_0000_0001), .random)
    connection.link(member: passing)
    for await member in members {
      #expect(member.address == other && member.isLinked)
      break
    }
    radio.dropLink()
    for await member in members {
      #expect(member.address == other && !member.isLinked)
      break
    }
    #expect(radio.attempts == [earPeer, passing])
    run.cancel()
    _ = await run.value
  }
}
