import BluetoothCodec
import HeadphoneProtocols
import Testing

/// Sequence numbers, matching, time-outs and attempts of docs/protocol.md section 5.
@Suite struct CommandEngineTests {
  private func response(
    _ command: CommandID, _ sequence: UInt8, _ payload: Bytes,
    flags: HeadphonePacket.Flags = .response
  ) -> HeadphonePacket {
    HeadphonePacket(command: command, sequence: sequence, flags: flags, payload: payload)
  }

  @Test func `a command is sent and its response ends it`() {
    var engine = CommandEngine()
    let (ticket, effects) = engine.submit(.setANC, payload: [1], at: .zero)
    let packet = HeadphonePacket(command: .setANC, sequence: 1, payload: [1])
    #expect(effects == [.send(ticket, [packet], attempt: 1)])
    #expect(engine.nextDeadline == .seconds(2))
    #expect(
      engine.receive(response(.setANC, 1, [0, 1]), at: .seconds(1))
        == [.finished(ticket, .success([1]))])
    #expect(engine.nextDeadline == nil)
    #expect(!engine.isAwaitingResponse)
  }

  @Test func `the same packet is sent three times then the command fails`() {
    var engine = CommandEngine()
    let (ticket, first) = engine.submit(.state, at: .zero)
    let packet = HeadphonePacket(command: .state, sequence: 1)
    #expect(first == [.send(ticket, [packet], attempt: 1)])
    #expect(engine.elapse(to: .milliseconds(1999)) == [])
    #expect(engine.elapse(to: .seconds(2)) == [.send(ticket, [packet], attempt: 2)])
    #expect(engine.nextDeadline == .seconds(4))
    #expect(engine.elapse(to: .seconds(4)) == [.send(ticket, [packet], attempt: 3)])
    #expect(engine.elapse(to: .seconds(6)) == [.finished(ticket, .failure(.noResponse))])
    #expect(engine.nextDeadline == nil)
    let late = response(.state, 1, [0])
    #expect(engine.receive(late, at: .seconds(7)) == [.ignored(late)])
  }

  @Test func `overdue commands are sent again in the order in which they were given`() {
    var engine = CommandEngine(window: 2)
    let (first, _) = engine.submit(.setANC, payload: [1], at: .zero)
    let (second, _) = engine.submit(.setANC, payload: [2], at: .zero)
    let repeated = engine.elapse(to: .seconds(60))
    #expect(
      repeated == [
        .send(first, [HeadphonePacket(command: .setANC, sequence: 1, payload: [1])], attempt: 2),
        .send(second, [HeadphonePacket(command: .setANC, sequence: 2, payload: [2])], attempt: 2),
      ])
    _ = engine.elapse(to: .seconds(120))
    #expect(
      engine.elapse(to: .seconds(180)) == [
        .finished(first, .failure(.noResponse)), .finished(second, .failure(.noResponse)),
      ])
  }

  @Test func `starting over sends what is outstanding as if for the first time`() {
    var engine = CommandEngine(window: 2)
    let (gone, _) = engine.submit(.ping, at: .zero)
    let (ticket, _) = engine.submit(.state, at: .zero)
    let packet = HeadphonePacket(command: .state, sequence: 2)
    _ = engine.elapse(to: .seconds(2))
    _ = engine.cancel(gone)
    #expect(engine.startOver(at: .seconds(3)) == [.send(ticket, [packet], attempt: 1)])
    #expect(engine.nextDeadline == .seconds(5))
    #expect(
      engine.receive(response(.state, 2, [0]), at: .seconds(4)) == [.finished(ticket, .success([]))]
    )
    #expect(engine.startOver(at: .seconds(4)) == [])
  }

  @Test func `a second answer to the same command is ignored`() {
    var engine = CommandEngine()
    _ = engine.submit(.ping, at: .zero)
    let answer = response(.ping, 1, [0])
    #expect(engine.receive(answer, at: .zero).count == 1)
    #expect(engine.receive(answer, at: .zero) == [.ignored(answer)])
    let (next, effects) = engine.submit(.ping, at: .zero)
    #expect(effects == [.send(next, [HeadphonePacket(command: .ping, sequence: 2)], attempt: 1)])
    #expect(engine.receive(answer, at: .zero) == [.ignored(answer)])
  }

  @Test func `what does not match is ignored`() {
    var engine = CommandEngine()
    _ = engine.submit(.ping, at: .zero)
    var otherVersion = response(.ping, 1, [0])
    otherVersion.version = 2
    for packet in [
      response(.state, 1, [0]), response(.ping, 2, [0]), response(.ping, 1, [0], flags: []),
      otherVersion,
    ] {
      #expect(engine.receive(packet, at: .zero) == [.ignored(packet)])
    }
    #expect(engine.isAwaitingResponse)
  }

  @Test(
    arguments: [
      ([8], [.response, .error], .refused(.wrongState)),
      ([3], .response, .refused(.busy)),
      ([0], [.response, .error], .refused(.unspecified)),
      ([], [.response, .error], .refused(.unspecified)),
      ([0xC0], [.response, .error], .refused(.other(0xC0))),
    ] as [(Bytes, HeadphonePacket.Flags, HeadphoneError)])
  func `a refusal keeps its status`(
    payload: Bytes, flags: HeadphonePacket.Flags, error: HeadphoneError
  ) {
    var engine = CommandEngine()
    let (ticket, _) = engine.submit(.find, at: .zero)
    #expect(
      engine.receive(response(.find, 1, payload, flags: flags), at: .zero)
        == [.finished(ticket, .failure(error))])
  }

  @Test func `a response without status is malformed and the command is tried again`() {
    var engine = CommandEngine()
    _ = engine.submit(.find, at: .zero)
    let empty = response(.find, 1, [])
    guard case .malformed = engine.receive(empty, at: .zero).first else {
      Issue.record("an empty response passed")
      return
    }
    #expect(engine.elapse(to: .seconds(2)).count == 1)
  }

  @Test func `with window one the next command waits for its turn`() {
    var engine = CommandEngine()
    _ = engine.submit(.ping, at: .zero)
    let (second, effects) = engine.submit(.state, at: .zero)
    #expect(effects == [])
    let then = engine.receive(response(.ping, 1, [0]), at: .seconds(1))
    #expect(
      then.last == .send(second, [HeadphonePacket(command: .state, sequence: 2)], attempt: 1))
    #expect(engine.nextDeadline == .seconds(3))
    #expect(
      engine.receive(response(.state, 2, [0]), at: .seconds(1))
        == [.finished(second, .success([]))])
  }

  @Test func `a wider window is used`() {
    var engine = CommandEngine(window: 2)
    let (first, _) = engine.submit(.ping, at: .zero)
    let (second, effects) = engine.submit(.ping, at: .zero)
    #expect(effects.count == 1)
    #expect(engine.submit(.ping, at: .zero).effects == [])
    #expect(
      engine.receive(response(.ping, 2, [0]), at: .zero).first
        == .finished(second, .success([])))
    #expect(
      engine.receive(response(.ping, 1, [0]), at: .zero) == [.finished(first, .success([]))])
  }

  @Test func `sequences go from 1 to 255 and then 1 again`() {
    var engine = CommandEngine()
    var seen: [UInt8] = []
    for _ in 0..<257 {
      guard case .send(_, let packets, _) = engine.submit(.ping, at: .zero).effects.first else {
        Issue.record("not sent")
        return
      }
      for packet in packets {
        seen.append(packet.sequence)
        _ = engine.receive(response(.ping, packet.sequence, [0]), at: .zero)
      }
    }
    #expect(seen.prefix(3) == [1, 2, 3])
    #expect(seen.suffix(3) == [255, 1, 2])
    #expect(!seen.contains(0))
  }

  @Test func `a fragmented response is joined and keeps the command alive`() {
    var engine = CommandEngine()
    let (ticket, _) = engine.submit(.ping, at: .zero)
    let part = response(.ping, 1, [0, 1], flags: [.response, .moreFollows])
    #expect(engine.receive(part, at: .seconds(1)) == [])
    #expect(engine.nextDeadline == .seconds(3))
    #expect(
      engine.receive(response(.ping, 1, [2]), at: .seconds(2))
        == [.finished(ticket, .success([1, 2]))])
  }

  @Test func `a cancelled command holds its turn until its answer`() {
    var engine = CommandEngine()
    let (ticket, _) = engine.submit(.ping, at: .zero)
    #expect(engine.cancel(ticket) == [.finished(ticket, .failure(.cancelled))])
    #expect(engine.cancel(ticket) == [])
    let (next, nothing) = engine.submit(.state, at: .zero)
    #expect(nothing == [])
    let effects = engine.receive(response(.ping, 1, [0]), at: .zero)
    #expect(effects == [.send(next, [HeadphonePacket(command: .state, sequence: 2)], attempt: 1)])
  }

  @Test func `a cancelled command is not sent again`() {
    var engine = CommandEngine()
    let (ticket, _) = engine.submit(.ping, at: .zero)
    _ = engine.cancel(ticket)
    #expect(engine.elapse(to: .seconds(2)) == [])
    #expect(!engine.isAwaitingResponse)
  }

  @Test func `a command that cannot be sent makes room for the next`() {
    var engine = CommandEngine()
    let (first, _) = engine.submit(.ping, at: .zero)
    let (second, _) = engine.submit(.state, at: .zero)
    #expect(
      engine.fail(first, .cancelled, at: .zero) == [
        .finished(first, .failure(.cancelled)),
        .send(second, [HeadphonePacket(command: .state, sequence: 2)], attempt: 1),
      ])
    #expect(engine.fail(first, .cancelled, at: .zero) == [])
  }

  @Test func `the end of the link ends every command with the same reason`() {
    var engine = CommandEngine()
    let (first, _) = engine.submit(.ping, at: .zero)
    let (second, _) = engine.submit(.ping, at: .zero)
    #expect(
      engine.fail(.noResponse) == [
        .finished(first, .failure(.noResponse)), .finished(second, .failure(.noResponse)),
      ])
    #expect(engine.nextDeadline == nil)
  }
}
