import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import HeadphoneDrivers
import HeadphoneProtocols
import TestSupport
import Testing
import VirtualHeadphones

/// One bud that receives broadcasts, on a separate link.
@Suite struct BroadcastBudTests {
  private struct Conversation {
    let phone: Phone
    let client: GATTClient
    let driver: GATTDriver
    let events: HeadphoneEvents
    let clock = ManualClock()

    init(
      mtu: UInt16? = nil, _ change: (inout VirtualBroadcastBud) -> Void = { _ in }
    ) async throws {
      var model = VirtualModel.leftGate
      if case .broadcastBud(var bud) = model.family {
        change(&bud)
        model.family = .broadcastBud(bud)
      }
      if let mtu { model.server = GATTServer.Options(mtu: mtu) }
      phone = Phone(model)
      client = try await phone.connect()
      let (emitter, events) = EventEmitter.makeEvents()
      self.events = events
      driver = GATTDriver(client: client, clock: clock, emitter: emitter)
    }

    func failure(of command: BroadcastCommand) async -> HeadphoneError? {
      do throws(HeadphoneError) {
        try await driver.perform(.broadcast(command))
        return nil
      } catch {
        return error
      }
    }

    /// Returns the error of a command after these times have passed, or nil if it succeeded.
    func failure(of command: BroadcastCommand, after times: [Duration]) async -> HeadphoneError? {
      let outcome = Task { await failure(of: command) }
      for time in times {
        await clock.pass(time)
      }
      return await outcome.value
    }

    var bud: VirtualBroadcastBud {
      get async throws { try #require(await phone.headphone.broadcastBud) }
    }

    /// Ends the link, and returns the receptions reported until then.
    func receptions() async -> [BroadcastReception] {
      await client.close()
      return await events.reduce(into: []) { all, event in
        if case .receptionChanged(let reception) = event { all.append(reception) }
      }
    }
  }

  /// Returns a broadcast of the airport as a scan reports it.
  private static func broadcast(
    _ name: String, change: (inout Broadcast) -> Void = { _ in }
  ) throws -> Broadcast {
    let virtual = try #require(VirtualBroadcast.airport.first { $0.name == name })
    var broadcast = Broadcast(virtual.id, at: virtual.address)
    broadcast.name = name
    broadcast.set = virtual.reportsSet ? virtual.set : nil
    broadcast.features = virtual.features
    change(&broadcast)
    return broadcast
  }

  @Test func `a bud is recognised, and listens once its receive state says so`() async throws {
    let conversation = try await Conversation()
    let description = try await conversation.driver.start()
    #expect(description.capabilities.hasBroadcasts && description.set?.side == .left)
    #expect(await conversation.failure(of: .join(try Self.broadcast("Gate B12"), nil)) == nil)
    let bud = try await conversation.bud
    #expect(bud.operations.count == 1)
    #expect(bud.states.compactMap(\.self).first?.isPlaying == true)
    let receptions = await conversation.receptions()
    #expect(receptions.first?.sources == [] && receptions.allSatisfy { $0.side == .left })
    #expect(receptions.last?.playing?.metadata.programme == "Boarding")
  }

  @Test func `a locked one needs the right code, and no report has one`() async throws {
    let conversation = try await Conversation()
    _ = try await conversation.driver.start()
    let lounge = try Self.broadcast("Lounge")
    #expect(await conversation.failure(of: .join(lounge, nil)) == .broadcast(.codeNeeded))
    let wrong = await conversation.failure(of: .join(lounge, BroadcastCode("lounge23")))
    #expect(wrong == .broadcast(.wrongCode))
    #expect(await conversation.failure(of: .join(lounge, BroadcastCode("lounge22"))) == nil)
    let codes = try await conversation.bud.operations.filter {
      if case .setCode = $0 { true } else { false }
    }
    #expect(codes.count == 2)
    let receptions = await conversation.receptions()
    #expect(receptions.contains { $0.sources.first?.encryption == .badCode })
    #expect(receptions.allSatisfy { $0.sources.allSatisfy { $0.badCode == nil } })
    #expect(receptions.last?.playing?.encryption == .decrypting)
  }

  @Test func `one is left for another, and left for this computer`() async throws {
    let conversation = try await Conversation()
    _ = try await conversation.driver.start()
    #expect(await conversation.failure(of: .join(try Self.broadcast("Gate B12"), nil)) == nil)
    #expect(await conversation.failure(of: .join(try Self.broadcast("Gate B14"), nil)) == nil)
    let playing = try await conversation.bud.states.compactMap(\.self)
    #expect(playing.count == 1 && playing.first?.source.set == 1)
    #expect(await conversation.failure(of: .leave) == nil)
    #expect(try await conversation.bud.states == [nil, nil])
    let last = await conversation.receptions().last
    #expect(last?.sources == [])
  }

  @Test func `a set that is not reported is found by trying`() async throws {
    let conversation = try await Conversation()
    _ = try await conversation.driver.start()
    #expect(await conversation.failure(of: .join(try Self.broadcast("Chapel"), nil)) == nil)
    let states = try await conversation.bud.states
    #expect(states.compactMap(\.self).map(\.source.set) == [2])
    let tried = await conversation.receptions().compactMap(\.triedSet)
    #expect(tried.first == 0 && tried.last == 2)
  }

  @Test(arguments: [true, false])
  func `a broadcast that is not there, and one without sound`(_ isDeaf: Bool) async throws {
    let conversation = try await Conversation { $0.isDeaf = isDeaf }
    _ = try await conversation.driver.start()
    let broadcast = try Self.broadcast("Gate B12") { if !isDeaf { $0.set = 6 } }
    let failure = await conversation.failure(of: .join(broadcast, nil))
    #expect(failure == .broadcast(isDeaf ? .noSound : .notFound))
    #expect(try await conversation.bud.states == [nil, nil])
    _ = await conversation.receptions()
  }

  @Test func `a bud that wants a transfer, and one that does nothing, end in words`() async throws {
    let wanting = try await Conversation { $0.wantsTransfer = true }
    _ = try await wanting.driver.start()
    let gate = try Self.broadcast("Gate B12")
    #expect(await wanting.failure(of: .join(gate, nil)) == .broadcast(.noTransfer))
    _ = await wanting.receptions()

    let idle = try await Conversation { $0.ignoresOperations = true }
    _ = try await idle.driver.start()
    let failure = await idle.failure(of: .join(gate, nil), after: [.seconds(3)])
    #expect(failure == .broadcast(.ignored))
    _ = await idle.receptions()
  }

  @Test func `notifications that the MTU cuts off are read`() async throws {
    let conversation = try await Conversation(mtu: 23)
    _ = try await conversation.driver.start()
    #expect(await conversation.failure(of: .join(try Self.broadcast("Gate B12"), nil)) == nil)
    let last = await conversation.receptions().last
    #expect(last?.playing?.metadata.language == "deu")
  }

  @Test func `a newer request ends the one before, and the end of the link both`() async throws {
    let conversation = try await Conversation { $0.ignoresOperations = true }
    _ = try await conversation.driver.start()
    let gate = try Self.broadcast("Gate B12")
    let first = Task { await conversation.failure(of: .join(gate, nil)) }
    await conversation.clock.sleepers(1)
    #expect(await conversation.failure(of: .leave) == nil)
    #expect(await first.value == .broadcast(.superseded))
    let second = Task { await conversation.failure(of: .join(gate, nil)) }
    await conversation.clock.sleepers(1)
    await conversation.client.close()
    guard case .closed? = await second.value else { return #expect(Bool(false)) }
    _ = await conversation.receptions()
  }

  @Test func `a broadcast that ends shows at once`() async throws {
    let conversation = try await Conversation()
    _ = try await conversation.driver.start()
    let gate = try Self.broadcast("Gate B12")
    #expect(await conversation.failure(of: .join(gate, nil)) == nil)
    await conversation.phone.headphone.loseBroadcast(gate.id)
    // A request behind the notification.
    try await conversation.driver.refresh()
    let last = await conversation.receptions().last
    #expect(last?.playing == nil && last?.sources.first?.sync == .failed)
  }

  @Test func `a search is announced in one byte each, and its refusal is no failure`() async throws
  {
    let conversation = try await Conversation()
    _ = try await conversation.driver.start()
    for isOn in [true, false] { try await conversation.driver.perform(.announceSearch(isOn)) }
    #expect(try await conversation.bud.operations == [.scanStarted, .scanStopped])
    #expect(BroadcastScanOperation.scanStarted.encoded() == [0x01])
    #expect(BroadcastScanOperation.scanStopped.encoded() == [0x00])
    await conversation.phone.headphone.injectFaults {
      $0.refusedWrites[.broadcastControlPoint] = BroadcastScanError.opcodeNotSupported
    }
    try await conversation.driver.perform(.announceSearch(true))
    _ = await conversation.receptions()
  }

  @Test func `a headphone that wants to be paired first says so`() async throws {
    let conversation = try await Conversation { $0.security = .high }
    let description = try await conversation.driver.start()
    #expect(description.capabilities.hasBroadcasts)
    #expect(description.missing.contains("broadcasts: it wants to be paired: earshot pair NAME"))
    #expect(await conversation.failure(of: .leave) != nil)
    _ = await conversation.receptions()
  }
}
