internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import HeadphoneProtocols

extension VirtualHeadphone {
  var eventHandle: UInt16? { server.table.handle(of: model.control.event) }

  func wrote(_ value: Bytes, to handle: UInt16) {
    if server.table.type(at: handle) == .volumeControlPoint { return changeVolume(value) }
    if case .hearingAid? = family, let type = server.table.type(at: handle) {
      return hearingAidWrote(value, to: type)
    }
    if case .broadcastBud? = family, let type = server.table.type(at: handle) {
      return broadcastBudWrote(value, to: type)
    }
    if family != nil { return respondAsFamily(value) }
    let control = model.control
    switch server.table.type(at: handle) {
    case control.command: receiveCommand(value)
    case control.firmwareData: receiveFirmware(value)
    case control.ancMode:
      if let mode = value.first.flatMap(ANCMode.init(rawValue:)) { echo(life.set(mode)) }
    case control.eqPreset:
      if let preset = value.first.flatMap(EQPreset.init(rawValue:)) { echo(life.set(preset)) }
    default: break
    }
  }

  /// Carries out a Volume Control command (VCS 1.0), unless its counter or length is wrong.
  private func changeVolume(_ command: Bytes) {
    guard let handle = server.table.handle(of: .volumeState),
      let value = server.table.value(at: handle),
      var state = try? VolumeState(decoding: value[...]),
      command.dropFirst().first == state.counter
    else { return }
    switch (command.first, command.count) {
    case (VolumeState.setAbsolute, 3): state.setting = command.last ?? 0
    case (VolumeState.mute, 2): state.isMuted = true
    case (VolumeState.unmute, 2): state.isMuted = false
    default: return
    }
    state.counter &+= 1
    server.table.setValue(state.encoded(), at: handle)
    execute(server.push(state.encoded()[...], of: handle))
  }

  private func respondAsFamily(_ value: Bytes) {
    guard let responses = family?.respond(to: value),
      let handle = family?.notify.flatMap({ server.table.handle(of: $0) })
    else { return }
    for response in responses { execute(server.push(response[...], of: handle)) }
  }

  /// Receives bytes of the command characteristic; a repetition gets the stored response, if any.
  private func receiveCommand(_ bytes: Bytes) {
    guard let items = connection?.server.receive(bytes) else { return }
    for item in items {
      switch item {
      case .command(let command): respond(to: command)
      case .repeated(let response): respond(response)
      case .alreadyAtWork: break
      case .garbage: report([.error(.badChecksum)])
      }
    }
  }

  private func respond(to command: ReceivedCommand) {
    switch faults.commands {
    case .never: return
    case .after(let count) where ignored.commands < count:
      ignored.commands += 1
      connection?.server.forget(command)
      return
    default: break
    }
    let response = response(to: command)
    guard let packets = connection?.server.respond(to: command, response) else { return }
    let finish: @Sendable (isolated VirtualHeadphone) -> Void = { headphone in
      headphone.respond(packets)
      headphone.echo(response.events)
      headphone.showName()
      headphone.end(response.ending)
    }
    switch faults.commands {
    case .late(let delay): later(delay, finish)
    case .twice:
      respond(packets)
      finish(self)
    default: finish(self)
    }
  }

  /// Carries out a command, unless a fault or its version prevents that.
  ///
  /// A payload that cannot be decoded causes the status that docs/protocol.md defines for it.
  private func response(to command: ReceivedCommand) -> CommandResponse {
    if let status = faults.refusedCommands[command.id] { return .refused(status) }
    guard command.version == HeadphonePacket.currentVersion else {
      return .refused(.versionNotSupported)
    }
    if let response = firmwareResponse(to: command) { return response }
    do throws(HeadphoneError) {
      let request = try WireCommand(command.id, payload: command.payload)
      let isTrusted = server.isBonded && server.security > .low
      return life.perform(request, isTrusted: isTrusted, at: timeline.elapsed)
    } catch {
      guard case .refused(let status) = error else { return .refused(.unspecified) }
      return .refused(status)
    }
  }

  /// Notifies packets on the event characteristic, in pieces of at most ATT_MTU - 3 bytes.
  private func respond(_ packets: [HeadphonePacket]) {
    guard let handle = eventHandle else { return }
    for packet in packets {
      var rest = packet.encoded()[...]
      while !rest.isEmpty {
        execute(server.push(rest.prefix(server.mtu - 3), of: handle))
        rest = rest.dropFirst(server.mtu - 3)
      }
    }
  }

  private func end(_ ending: CommandResponse.LinkEnding?) {
    guard let ending else { return }
    if ending == .factoryReset { server.isBonded = false }
    restartFirmware()
    unreachableUntil = timeline.elapsed + model.restartTime
    dropLink(.peer)
  }

  private func showName() {
    guard let handle = server.table.handle(of: .deviceName) else { return }
    server.table.setValue(Array(life.name.utf8), at: handle)
  }
}

extension VirtualHeadphone {
  /// Reports a change by the phone's own command or write.
  ///
  /// With the fault `omitsEchoes`, only the table changes, which reveals a phone that waits for an
  /// event instead of the response.
  func echo(_ events: [WireEvent]) {
    if faults.omitsEchoes {
      server.table.store(events, of: model)
    } else {
      report(events)
    }
  }

  func report(_ events: [WireEvent]) {
    for event in events {
      if let handle = eventHandle, !faults.omitsEvents {
        execute(server.push(event.encoded()[...], of: handle))
      }
      execute(server.change(server.table.values(after: event, of: model)))
    }
  }
}
