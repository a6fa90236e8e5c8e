import BluetoothCodec
import BluetoothRadio
import Testing
import VirtualHeadphones

@testable import HeadphoneProtocols

/// One request to a headphone, with receive states in any order.
@Suite struct BroadcastRequestTests {
  private static let address = PeerAddress(BluetoothAddress(value: 0xE122_3344_5566), .random)
  private static let id = BroadcastID(rawValue: 0xABCDEF)
  private static let other = BroadcastSource(address, set: 1, BroadcastID(rawValue: 0x001234))
  private static let anything = [BroadcastSubgroup(BroadcastSubgroup.any)]

  /// A request, the headphone's states, and the time.
  private struct Talk {
    var request: BroadcastRequest
    var states: ReceiveStates
    var now: Duration = .zero

    init(_ command: BroadcastCommand, _ states: [ReceiveState?] = [nil, nil]) {
      request = BroadcastRequest(command)
      self.states = ReceiveStates(count: states.count)
      for (index, state) in states.enumerated() where state != nil { tell(index, state) }
    }

    mutating func next() -> BroadcastRequest.Step { request.next(states, at: now) }

    mutating func survives(_ code: ATTErrorCode) -> Bool { request.survives(code) }

    mutating func tell(_ index: Int, _ state: ReceiveState?) {
      try? states.receive((state?.encoded() ?? [])[...], at: index)
    }

    /// Notifies a state, and returns the next step.
    mutating func after(_ state: ReceiveState?, at index: Int = 0) -> BroadcastRequest.Step {
      tell(index, state)
      return next()
    }

    mutating func after(_ time: Duration) -> BroadcastRequest.Step {
      now += time
      return next()
    }
  }

  private static func broadcast(set: UInt8? = 5, isLocked: Bool = false) -> Broadcast {
    var broadcast = Broadcast(id, at: address)
    broadcast.set = set
    broadcast.interval = 0x50
    broadcast.features = isLocked ? [.encrypted, .highQuality] : .highQuality
    return broadcast
  }

  private static func state(
    _ sync: ReceiveState.Sync, _ encryption: ReceiveState.Encryption = .none, streams: UInt32 = 0,
    set: UInt8 = 5, number: UInt8 = 1
  ) -> ReceiveState {
    ReceiveState(
      number, BroadcastSource(address, set: set, id), sync, encryption,
      [BroadcastSubgroup(streams)])
  }

  private static func add(_ set: UInt8 = 5) -> BroadcastRequest.Step {
    .write(.addSource(BroadcastSource(address, set: set, id), .scan, interval: 0x50, anything))
  }

  @Test func `an open broadcast is added, and believed once a stream is played`() {
    var talk = Talk(.join(Self.broadcast(), nil))
    #expect(talk.next() == Self.add())
    #expect(talk.next() == .wait(until: .seconds(3)))
    #expect(talk.after(Self.state(.off)) == .wait(until: .seconds(20)))
    #expect(talk.after(Self.state(.on)) == .wait(until: .seconds(20)))
    #expect(talk.after(Self.state(.off, streams: 1)) == .end(nil))
  }

  @Test func `a locked one gets its code once, however often it is asked for`() throws {
    let code = try #require(BroadcastCode("lounge22"))
    var talk = Talk(.join(Self.broadcast(isLocked: true), code))
    #expect(talk.next() == Self.add())
    #expect(talk.after(Self.state(.on, .codeRequired)) == .write(.setCode(1, code)))
    #expect(talk.next() == .wait(until: .seconds(10)))
    #expect(talk.after(Self.state(.on, .codeRequired)) == .wait(until: .seconds(10)))
    #expect(talk.after(Self.state(.on, .decrypting)) == .wait(until: .seconds(10)))
    #expect(talk.after(Self.state(.on, .decrypting, streams: 3)) == .end(nil))
  }

  @Test func `a wrong code, no code, and a code to a source that waits for one`() throws {
    let code = try #require(BroadcastCode("lounge22"))
    var wrong = Talk(.join(Self.broadcast(), code))
    _ = wrong.next()
    _ = wrong.after(Self.state(.on, .codeRequired))
    #expect(wrong.after(Self.state(.on, .badCode)) == .end(.wrongCode))

    var without = Talk(.join(Self.broadcast(), nil))
    _ = without.next()
    #expect(without.after(Self.state(.on, .codeRequired)) == .end(.codeNeeded))

    // The bad code of before says nothing about the new one.
    var again = Talk(.join(Self.broadcast(), code), [Self.state(.on, .badCode), nil])
    #expect(again.next() == .write(.setCode(1, code)))
    #expect(again.next() == .wait(until: .seconds(10)))
    #expect(again.after(Self.state(.on, .badCode)) == .end(.wrongCode))

    var silent = Talk(.join(Self.broadcast(), code))
    _ = silent.next()
    _ = silent.after(Self.state(.on, .codeRequired))
    #expect(silent.after(.seconds(10)) == .end(.wrongCode))
  }

  @Test func `a headphone that accepts and does nothing is read once, and then named`() {
    var talk = Talk(.join(Self.broadcast(), nil))
    _ = talk.next()
    #expect(talk.after(.seconds(3)) == .read)
    #expect(talk.next() == .end(.ignored))
  }

  @Test func `a source that is not found is removed`() {
    var talk = Talk(.join(Self.broadcast(), nil))
    _ = talk.next()
    #expect(talk.after(Self.state(.failed)) == .write(.removeSource(1)))
    #expect(talk.after(nil) == .end(.notFound))
  }

  @Test func `one that never comes up ends after its time`() {
    var talk = Talk(.join(Self.broadcast(), nil))
    _ = talk.next()
    _ = talk.after(Self.state(.off))
    #expect(talk.after(.seconds(20)) == .write(.removeSource(1)))
    #expect(talk.after(.seconds(3)) == .read)
    #expect(talk.next() == .end(.notFound))
  }

  @Test func `a wish for a transfer is waited out, and named`() {
    var talk = Talk(.join(Self.broadcast(), nil))
    _ = talk.next()
    #expect(talk.after(Self.state(.wantsTransfer)) == .wait(until: .seconds(20)))
    #expect(talk.after(Self.state(.noTransfer)) == .write(.removeSource(1)))
    #expect(talk.after(nil) == .end(.noTransfer))
  }

  @Test func `streams that cannot be received are stopped and named`() {
    var talk = Talk(.join(Self.broadcast(), nil))
    _ = talk.next()
    let step = talk.after(Self.state(.on, streams: BroadcastSubgroup.any))
    #expect(step == .write(.modifySource(1, .off, interval: 0xFFFF, [BroadcastSubgroup(0)])))
    #expect(talk.after(Self.state(.off)) == .write(.removeSource(1)))
    #expect(talk.after(nil) == .end(.noSound))
  }

  @Test func `an unknown set is tried from 0 on, and believed by the receive state only`() {
    var talk = Talk(.join(Self.broadcast(set: nil), nil))
    for set in UInt8(0)...2 {
      #expect(talk.next() == Self.add(set))
      #expect(talk.request.attempt?.set == set && talk.request.attempt?.count == 16)
      guard set < 2 else { break }
      #expect(talk.after(Self.state(.failed, set: set)) == .write(.removeSource(1)))
      talk.tell(0, nil)
    }
    #expect(talk.after(Self.state(.on, streams: 1, set: 2)) == .end(nil))
  }

  @Test func `sixteen wrong sets are the end`() {
    var talk = Talk(.join(Self.broadcast(set: nil), nil))
    for set in UInt8(0)...15 {
      #expect(talk.next() == Self.add(set))
      #expect(talk.after(Self.state(.failed, set: set)) == .write(.removeSource(1)))
      talk.tell(0, nil)
    }
    #expect(talk.next() == .end(.notFound))
  }

  @Test func `a source that the headphone knows tells the set, and is never added twice`() {
    var talk = Talk(.join(Self.broadcast(set: nil), nil), [nil, Self.state(.off, set: 9)])
    #expect(talk.next() == .write(.modifySource(1, .scan, interval: 0x50, Self.anything)))
    #expect(talk.after(Self.state(.on, streams: 1, set: 9), at: 1) == .end(nil))
    var playing = Talk(.join(Self.broadcast(), nil), [Self.state(.on, streams: 1)])
    #expect(playing.next() == .end(nil))
  }

  @Test func `what plays is stopped and removed first, a full headphone is made room in`() {
    let playing = ReceiveState(7, Self.other, .on, .none, [BroadcastSubgroup(1, [2, 8, 1])])
    var talk = Talk(.join(Self.broadcast(), nil), [playing])
    #expect(
      talk.next()
        == .write(.modifySource(7, .off, interval: 0xFFFF, [BroadcastSubgroup(0, [2, 8, 1])])))
    #expect(talk.next() == .wait(until: .seconds(5)))
    #expect(talk.after(ReceiveState(7, Self.other, .off)) == .write(.removeSource(7)))
    #expect(talk.after(nil) == Self.add())

    var full = Talk(.join(Self.broadcast(), nil), [ReceiveState(7, Self.other, .failed)])
    #expect(full.next() == .write(.removeSource(7)))
    #expect(full.after(.seconds(3)) == .read)
    #expect(full.next() == .end(.full))
    var none = Talk(.join(Self.broadcast(), nil), [])
    #expect(none.next() == .end(.full))
  }

  @Test func `leaving stops, removes, and ends when nothing is left`() {
    let playing = ReceiveState(7, Self.other, .off, .none, [BroadcastSubgroup(1)])
    var talk = Talk(.leave, [playing, Self.state(.failed)])
    #expect(talk.next() == .write(.modifySource(7, .off, interval: 0xFFFF, [BroadcastSubgroup(0)])))
    // One that does not stop by itself is removed all the same: some servers stop it then.
    #expect(talk.after(.seconds(5)) == .write(.removeSource(7)))
    #expect(talk.after(nil) == .write(.removeSource(1)))
    #expect(talk.after(nil, at: 1) == .end(nil))

    var stubborn = Talk(.leave, [playing])
    _ = stubborn.next()
    _ = stubborn.after(.seconds(5))
    #expect(stubborn.after(.seconds(3)) == .read)
    #expect(stubborn.next() == .end(.staysOn))
    var idle = Talk(.leave)
    #expect(idle.next() == .end(nil))
  }

  @Test func `somebody else removes the source`() {
    var talk = Talk(.join(Self.broadcast(), nil))
    _ = talk.next()
    _ = talk.after(Self.state(.on))
    #expect(talk.after(nil) == .end(.removed))
  }

  @Test func `a source that is unknown to the headphone is looked up once`() {
    var talk = Talk(.join(Self.broadcast(), nil), [Self.state(.off)])
    _ = talk.next()
    #expect(talk.survives(.valueNotAllowed) == false)
    #expect(talk.survives(BroadcastScanError.invalidSource) == true)
    #expect(talk.after(nil) == Self.add())
    #expect(talk.survives(BroadcastScanError.invalidSource) == false)
  }
}
