internal import Bluetooth
internal import BluetoothCodec
internal import EventLoop
internal import GATT
internal import HeadphoneProtocols

extension VirtualHeadphone {
  /// The service on whose serial channel it speaks; nil: it speaks otherwise.
  var serialService: BluetoothUUID? { family?.records.serialServices.first }

  /// Whether a phone can hear it and connect.
  var isReachable: Bool { isInRange && unreachableUntil <= timeline.elapsed }

  /// What a phone hears now; nil: nothing.
  ///
  /// - Parameter fade: dB by which it is heard stronger or weaker than usual.
  func peripheral(fade: Int8) -> DiscoveredPeripheral? {
    // A link of the audio side does not keep it from advertising.
    if case .serial = family { return nil }
    guard isReachable, !isConnected || family?.product != nil else { return nil }
    let (advertisement, response) = model.advertising(
      named: life.name, battery: life.battery(at: timeline.elapsed))
    return DiscoveredPeripheral(
      peer: model.address, rssi: rssi.addingReportingOverflow(fade).partialValue,
      data: advertisement.merging(response),
      isConnectable: family?.isConnectable ?? true)
  }

  /// What the phone is told by the link of the audio side; nil: nothing, or there are no controls.
  func audioSighting() -> DiscoveredPeripheral? {
    guard isReachable, !isConnected, let audio = model.audioAddress, let family,
      family.records != ServiceRecords()
    else { return nil }
    // bluetoothd knows the names of BR/EDR devices.
    let services = family.records.serialServices
    let data: [AdvertisingStructure] =
      services.isEmpty
      ? []
      : [
        .localName(Array(model.name.utf8)[...], isComplete: true),
        .serviceUUIDs(services, isComplete: true),
      ]
    return DiscoveredPeripheral(
      peer: PeerAddress(audio, .classic), rssi: nil, data: AdvertisingData(data),
      isConnectable: true, product: family.records.product)
  }

  /// Returns true as soon as a phone can connect, false if the waiting task is cancelled.
  func becomesReachable() async -> Bool {
    while !isReachable, !Task.isCancelled {
      if isInRange {
        try? await clock.sleep(for: unreachableUntil - timeline.elapsed)
      } else {
        let (comeback, arrival) = AsyncStream<Void>.makeStream()
        arrivals.append(arrival)
        for await _ in comeback {}
      }
    }
    return isReachable
  }

  /// Accepts a phone; gives the phone's end of the link.
  ///
  /// - Throws: `busy` if another phone is connected, `timedOut` if it cannot be reached.
  func accept(
    _ caller: VirtualPhone, on channel: LinkChannel = .attributes
  ) throws(RadioError) -> SocketBearer {
    guard isReachable else { throw .timedOut }
    guard channel == offered else { throw .refused }
    guard !isConnected else { throw .busy("another phone is connected to this headphone") }
    disconnect()
    _ = advanceFirmware()
    let link = VirtualLink()
    let (phone, own): (SocketBearer, SocketBearer)
    do throws(SystemCallError) {
      let (first, second) = try SocketBearer.packetPair()
      phone = try SocketBearer(
        descriptor: first, loop: loop, hooks: link.hooks(of: self, phone: caller),
        channel: channel)
      own = try SocketBearer(descriptor: second, loop: loop)
    } catch {
      guard case .system(let code, let call) = error else { throw .cancelled }
      throw .system(errno: code, during: call)
    }
    server.security = .low
    connection = Connection(link: link, bearer: own, phone: phone)
    report(life.advance(to: timeline.elapsed))
    resumeScript()
    connection?.tasks.append(Task { await serve(own) })
    for told in family?.open() ?? [] { post(told[...]) }
    rearm()
    return phone
  }

  private func serve(_ bearer: SocketBearer) async {
    do throws(BearerClosed) {
      while true { receive(try await bearer.receive()) }
    } catch {
      if connection?.bearer === bearer { disconnect() }
    }
  }

  /// The channel on which it is controlled; nil: it cannot be connected.
  private var offered: LinkChannel? {
    if let serialService { return .serial(serialService) }
    if family?.product != nil { return .classic(psm: AACPPacket.psm) }
    return family?.isConnectable == false ? nil : .attributes
  }

  /// Forgets the phone, whoever ended the link.
  func disconnect() {
    guard let ended = connection.take() else { return }
    for task in ended.tasks { task.cancel() }
    ended.bearer.close(.localHost)
    timer?.cancel()
    firmware?.disconnect()
    family?.disconnect()
    server.disconnect()
  }

}

// MARK: PDUs

extension VirtualHeadphone {
  private func receive(_ pdu: Bytes) {
    guard !endsLink() else { return }
    if family?.product != nil || serialService != nil {
      for answer in family?.answer(pdu) ?? [] { post(answer[...]) }
      return
    }
    guard (pdu.first.map { ATTOpcode(rawValue: $0) })?.isRequest == true else {
      return execute(server.receive(pdu))
    }
    requests += 1
    if requests == faults.lastRequest { return dropLink(.supervisionTimeout) }
    switch faults.requests {
    case .never: return
    case .after(let count) where ignored.requests < count: ignored.requests += 1
    case .properly, .after: execute(server.receive(pdu))
    case .twice:
      let effects = server.receive(pdu)
      execute(effects)
      if case .send(let answer) = effects.first { post(answer) }
    case .late(let delay):
      let effects = server.receive(pdu)
      later(delay) { $0.execute(effects) }
    }
  }

  func execute(_ effects: [GATTServer.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let pdu): post(pdu)
      case .wrote(let handle, let value): wrote(value, to: handle)
      case .configured, .confirmed: break
      }
    }
  }

  func post(_ pdu: Bytes) {
    guard let bearer = connection?.bearer else { return }
    // A bearer that is closed ends `serve`, which forgets the phone.
    try? bearer.post(pdu)
    _ = endsLink()
  }

  /// Counts a PDU; true if it was the last one.
  private func endsLink() -> Bool {
    pdus += 1
    guard pdus == faults.lastPDU else { return false }
    dropLink(faults.ending)
    return true
  }

  /// Does something after a while, if the same phone is still connected then.
  func later(_ delay: Duration, _ act: @escaping @Sendable (isolated VirtualHeadphone) -> Void) {
    connection?.tasks.append(
      Task {
        try? await clock.sleep(for: delay)
        if !Task.isCancelled { act(self) }
      })
  }
}
