internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import EventLoop
internal import HeadphoneProtocols

extension VirtualHeadphone {
  var serialService: BluetoothUUID? {
    guard case .serial(let serial) = family else { return nil }
    return serial.headphone.service
  }

  /// Returns whether the controls are on this serial channel, by number or, if nil, by record.
  func isControlled(by service: BluetoothUUID, on channel: UInt8?) -> Bool {
    guard case .serial(let serial) = family else { return false }
    return serial.headphone.service == service && serial.headphone.channel == channel
  }

  var isReachable: Bool { isInRange && unreachableUntil <= timeline.elapsed }

  /// Returns the current advertisement, or nil if the headphone does not advertise.
  ///
  /// A headphone with an LE link does not advertise; a link of the BR/EDR side makes no difference.
  ///
  /// - Parameter fade: the change of the signal strength, in dB.
  func peripheral(fade: Int8) -> DiscoveredPeripheral? {
    // A scan finds a headphone with serial controls by `audioSighting()` instead.
    if case .serial = family { return nil }
    guard isReachable, !isConnected || family?.product != nil else { return nil }
    let (advertisement, response) = model.advertising(
      named: life.name, battery: life.battery(at: timeline.elapsed))
    return DiscoveredPeripheral(
      peer: model.address, rssi: rssi.addingReportingOverflow(fade).partialValue,
      data: advertisement.merging(response),
      isConnectable: family?.isConnectable ?? true)
  }

  /// Returns the BR/EDR side as bluetoothd reports it, or nil if it has no controls, or is out of
  /// range or in use.
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

  func becomesReachable() async -> Bool {
    while !isReachable, !Task.isCancelled {
      if isInRange {
        try? await timeline.sleep(until: unreachableUntil)
      } else {
        let (comeback, arrival) = AsyncStream<Void>.makeStream()
        arrivals.append(arrival)
        for await _ in comeback {}
      }
    }
    return isReachable
  }

  /// Accepts a connection of a phone, and returns the phone's end of the link.
  ///
  /// An unconfirmed firmware image whose trial time is over is rolled back first. Unprompted
  /// messages of a family are sent at once, as by a real headphone.
  ///
  /// - Throws: `timedOut` if the headphone cannot be reached, `refused` for a channel other than
  ///   that of its controls, `busy` if another phone is connected, `system` if the sockets cannot
  ///   be created.
  func accept(
    _ caller: VirtualPhone, on channel: LinkChannel = .attributes
  ) throws(RadioError) -> SocketBearer {
    guard isReachable else { throw .timedOut }
    guard channel == offered else { throw .refused }
    guard !isConnected else { throw .busy("another phone is connected to this headphone") }
    disconnect()
    _ = advanceFirmware()
    let link = VirtualLink(on: channel, keySize: model.keySize)
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
    for payload in family?.open() ?? [] { post(payload[...]) }
    rearm()
    return phone
  }

  private func serve(_ bearer: SocketBearer) async {
    do throws(BearerClosed) {
      while true {
        let pdu = try await bearer.receive()
        // PDUs that were in transit when the link ended are lost.
        guard connection?.bearer === bearer else { return }
        receive(pdu)
      }
    } catch {
      if connection?.bearer === bearer { disconnect() }
    }
  }

  private var offered: LinkChannel? {
    if let serialService { return .serial(serialService) }
    if family?.product != nil { return .classic(psm: AACPPacket.psm) }
    return family?.isConnectable == false ? nil : .attributes
  }

  /// Drops timers, subscriptions, prepared writes and the link; settings and firmware stay.
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

extension VirtualHeadphone {
  /// Handles one PDU of the phone, subject to the faults.
  ///
  /// | fault | effect |
  /// | --- | --- |
  /// | never | no request gets a response |
  /// | after n | the first n requests get no response |
  /// | twice | each response is sent twice |
  /// | late | each response is sent after a delay |
  /// | last request, last PDU | the link is dropped instead of a response |
  private func receive(_ pdu: Bytes) {
    guard !endsLink() else { return }
    if family?.product != nil || serialService != nil {
      for response in family?.respond(to: pdu) ?? [] { post(response[...]) }
      return
    }
    guard (pdu.first.map { ATTOpcode(rawValue: $0) })?.isRequest == true else {
      return execute(server.receive(pdu))
    }
    objectAsHearingAid(to: pdu)
    objectAsBroadcastBud(to: pdu)
    requests += 1
    if requests == faults.lastRequest { return dropLink(.supervisionTimeout) }
    switch faults.requests {
    case .never: return
    case .after(let count) where ignored.requests < count: ignored.requests += 1
    case .properly, .after: execute(server.receive(pdu))
    case .twice:
      let effects = server.receive(pdu)
      execute(effects)
      if case .send(let response) = effects.first { post(response) }
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
    // A closed bearer ends `serve`, which removes the phone.
    try? bearer.post(pdu)
    _ = endsLink()
  }

  private func endsLink() -> Bool {
    pdus += 1
    guard pdus == faults.lastPDU else { return false }
    dropLink(faults.ending)
    return true
  }

  func later(_ delay: Duration, _ act: @escaping @Sendable (isolated VirtualHeadphone) -> Void) {
    connection?.tasks.append(
      Task {
        try? await clock.sleep(for: delay)
        if !Task.isCancelled { act(self) }
      })
  }
}
