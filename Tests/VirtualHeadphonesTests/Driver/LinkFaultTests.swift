import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import HeadphoneDrivers
import HeadphoneProtocols
import TestSupport
import Testing
import VirtualHeadphones

/// Failures of the link while a driver starts or works.
@Suite struct LinkFaultTests {
  @Test func `a link that ends at any request ends the start with its reason`() async throws {
    for request in 1...8 {
      let phone = Phone()
      await phone.headphone.injectFaults { $0.lastRequest = request }
      let listener = try await Listener(phone)
      await #expect(throws: HeadphoneError.closed(BearerClosed(.supervisionTimeout))) {
        try await listener.driver.start()
      }
      listener.emitter.finish()
      #expect(await !listener.reportedToTheEnd().isEmpty)
    }
  }

  @Test func `a headphone that never answers is given up after thirty seconds`() async throws {
    let phone = Phone()
    await phone.headphone.injectFaults { $0.requests = .never }
    let listener = try await Listener(phone)
    let start = Task { [driver = listener.driver] in try await driver.start() }
    await phone.requestClock.pass(.seconds(30))
    await #expect(throws: HeadphoneError.closed(BearerClosed(.requestTimeout))) {
      try await start.value
    }
  }

  // ATT's answers carry no number: the second one may be taken for that of the next write, whose
  // own then comes as a stray. What is told in the end is right all the same.
  @Test func `answers that come twice leave the right state`() async throws {
    let (listener, _) = try await Listener.started()
    _ = await listener.reported()
    await listener.phone.headphone.injectFaults { $0.requests = .twice }
    for mode in ANCMode.allCases { try await listener.driver.perform(.setANC(mode)) }
    // A second response ends the next write before the headphone has it.
    while await listener.phone.headphone.snapshot.anc != .adaptive { await Task.yield() }
    #expect(await listener.reported().last == .ancChanged(.adaptive))
    #expect(await listener.phone.headphone.snapshot.anc == .adaptive)
    await listener.driver.client.close()
  }

  @Test func `slow answers only take time`() async throws {
    let (listener, _) = try await Listener.started()
    let phone = listener.phone
    await phone.headphone.injectFaults { $0.requests = .late(.seconds(29)) }
    let change = Task { [driver = listener.driver] in try await driver.perform(.setANC(.off)) }
    // The headphone's delay, which is shorter than the request's time-out.
    await phone.clock.pass(.seconds(29))
    try await change.value
    #expect(await phone.headphone.snapshot.anc == .off)
    await listener.driver.client.close()
  }

  @Test func `pairing that is refused ends the start`() async throws {
    let phone = Phone(.cipher)
    await phone.headphone.injectFaults { $0.refusesPairing = true }
    let listener = try await Listener(phone)
    await #expect(throws: HeadphoneError.gatt(.security(.refused))) {
      try await listener.driver.start()
    }
  }

  @Test func `a link that ends fails what waits and finishes the events`() async throws {
    let (listener, _) = try await Listener.started()
    await listener.phone.headphone.injectFaults { $0.commands = .never }
    let waiting = Task { [driver = listener.driver] in try await driver.perform(.setANCLevel(3)) }
    await listener.clock.sleepers(1)
    await listener.phone.headphone.dropLink(.micFailure)
    let lost = HeadphoneError.closed(BearerClosed(.micFailure))
    await #expect(throws: lost) { try await waiting.value }
    _ = await listener.reportedToTheEnd()
    await #expect(throws: lost) { try await listener.driver.perform(.setANCLevel(3)) }
    await #expect(throws: lost) { try await listener.driver.perform(.setANC(.off)) }
  }

  @Test func `the smallest MTU tells the same`() async throws {
    var model = VirtualModel.aurora
    model.server.mtu = 23
    let (large, _) = try await Listener.started(.aurora)
    let (small, description) = try await Listener.started(model)
    #expect(description.mtu == 23)
    #expect(description.information == model.information)
    #expect(await small.reported() == large.reported())
    let gains = CommandTests.gains
    try await small.driver.perform(.setCustomEQ(gains))
    #expect(await small.reported() == [.eqChanged(.custom, bands: gains)])
    try await small.driver.perform(.rename("A name with thirty-two bytes ok."))
    #expect(await small.phone.headphone.snapshot.name == "A name with thirty-two bytes ok.")
    await small.driver.client.close()
    await large.driver.client.close()
  }

  @Test func `indications report the same`() async throws {
    var model = VirtualModel.aurora
    model.pushes = .indicate
    let (notifying, _) = try await Listener.started(.aurora)
    let (indicating, _) = try await Listener.started(model)
    #expect(await indicating.reported() == notifying.reported())
    try await indicating.driver.perform(.setANC(.off))
    #expect(await indicating.reported() == [.ancChanged(.off)])
    #expect(await indicating.driver.client.statistics.indications > 5)
    await indicating.driver.client.close()
    await notifying.driver.client.close()
  }

  @Test func `services that move are found again`() async throws {
    let (listener, _) = try await Listener.started()
    _ = await listener.reported()
    try await listener.driver.client.watchForServiceChanges()
    await listener.phone.headphone.replaceServices { services in
      services.map { service in
        var service = service
        if service.uuid == ControlService.short.service { service.firstHandle = 0x200 }
        return service
      }
    }
    let flat = (0..<8).compactMap { _ in BandGain(halfDecibels: 0) }
    let again = await listener.reported(until: .eqChanged(.balanced, bands: flat))
    #expect(again.contains(.ancChanged(.noiseCancelling)))
    try await listener.driver.perform(.setANC(.off))
    try await listener.driver.perform(.setANCLevel(2))
    // The values read again end with the equaliser's, which may come in between.
    let reported = await listener.reported().filter {
      if case .eqChanged = $0 { false } else { true }
    }
    #expect(reported.suffix(2) == [.ancChanged(.off), .ancLevelChanged(2)])
    await listener.driver.client.close()
  }

  /// Whatever the driver and its client know of the move at that time.
  @Test(arguments: [true, false])
  func `a command in the moment in which services move is carried out`(
    hasCharacteristic: Bool
  ) async throws {
    let move = { @Sendable (services: [ServiceDefinition], start: UInt16?) in
      services.map { service in
        var service = service
        guard service.uuid == ControlService.short.service else { return service }
        service.firstHandle = start ?? service.firstHandle
        if !hasCharacteristic {
          service.characteristics.removeAll { $0.uuid == ControlService.short.ancMode }
        }
        return service
      }
    }
    for delay in 0..<40 {
      let phone = Phone()
      await phone.headphone.replaceServices { move($0, nil) }
      let listener = try await Listener(phone)
      _ = try await listener.driver.start()
      let client = listener.driver.client
      try await client.watchForServiceChanges()
      await phone.headphone.replaceServices { move($0, 0x200) }
      for _ in 0..<delay { _ = await client.mtu }
      try await listener.driver.perform(.setANC(.off))
      #expect(await phone.headphone.snapshot.anc == .off, "\(delay) turns later")
      await client.close()
    }
  }

  @Test func `a headphone's own requests are answered and disturb nothing`() async throws {
    let (listener, _) = try await Listener.started()
    _ = await listener.reported()
    for pdu in [[0x02, 0x17, 0x00], [0x0A, 0x01, 0x00], [0x7F], [0x0B, 0x01], [0x1E], [0x00]]
      as [Bytes]
    {
      await listener.phone.headphone.sendPDU(pdu)
    }
    try await listener.driver.perform(.setANC(.off))
    #expect(await listener.reported() == [.ancChanged(.off)])
    #expect(await listener.driver.client.statistics.peerRequests == 3)
    await listener.driver.client.close()
  }
}
