internal import BluetoothCodec
internal import BluetoothRadio
internal import DBus

extension BlueZClient {
  func connectAudio(
    _ address: BluetoothAddress, isClassicUp: @Sendable () async -> Bool
  ) async throws(AudioLinkError) {
    guard await isPresent else { throw isUnresponsive ? .bluetoothdUnresponsive : .noBluetoothd }
    guard await isPoweredInTime(), let adapter = try? adapter() else { throw .poweredOff }
    // A sound server registers a moment after bluetoothd has started. Before that, `Connect`
    // succeeds with links that carry no sound.
    let limit =
      hadAudioSource ? AudioConnection.endpointReturnTimeout : AudioConnection.endpointTimeout
    if await until(
      within: limit, { [adapterName] in $0.adapter(named: adapterName)?.hasAudioSource == true })
    {
      hadAudioSource = true
    }
    var steps = AudioConnection()
    func hasAudio() -> Bool {
      objects.device(address, of: adapter).map { objects.hasAudio($0.path) } ?? false
    }
    var step = steps.begin(
      objects.device(address, of: adapter), hasAudio: hasAudio(), isClassicUp: await isClassicUp())
    while true {
      let path = objects.device(address, of: adapter)?.path ?? Self.path(of: address, on: adapter)
      switch step {
      case .done: return
      case .failed(let error): throw error
      case .discover:
        await discover(on: adapter) { $0.device(address, of: adapter) != nil }
        step = steps.begin(
          objects.device(address, of: adapter), hasAudio: hasAudio(),
          isClassicUp: await isClassicUp())
      case .connect:
        let error = await failure("Connect", at: path)
        step = steps.replied(error, hasAudio: hasAudio())
      case .connectProfile:
        let error = await failure("ConnectProfile", at: path, [.string(AudioConnection.sink)])
        step = steps.replied(error, hasAudio: hasAudio())
      case .awaitTransport:
        let isUp = await until(within: AudioConnection.transportTimeout) { $0.hasAudio(path) }
        step = steps.waited(hasAudio: isUp, isClassicUp: await isClassicUp())
      case .connectCalls: return await connectCalls(at: path)
      case .release:
        _ = await failure("Disconnect", at: path)
        throw .onlyLowEnergy
      }
      if Task.isCancelled { throw .busy }
    }
  }

  /// Connects calls, and retries while bluetoothd is still reading the services of the new link.
  private func connectCalls(at path: String) async {
    for attempt in 1...AudioConnection.callsAttempts {
      let error = await failure(
        "ConnectProfile", at: path, [.string(AudioConnection.calls)],
        within: AudioConnection.callsTimeout)
      guard error.map(AudioLinkError.init) == .busy, attempt < AudioConnection.callsAttempts,
        (try? await clock.sleep(for: AudioConnection.callsPause)) != nil
      else { return }
    }
  }

  /// Disconnects the audio profiles and, if BR/EDR has no other use (`isAlone`), all links.
  func disconnectAudio(
    _ address: BluetoothAddress, isAlone: @Sendable () async -> Bool
  ) async throws(AudioLinkError) {
    guard await isPresent else { throw isUnresponsive ? .bluetoothdUnresponsive : .noBluetoothd }
    guard let adapter = try? adapter(), let device = objects.device(address, of: adapter) else {
      throw .notFound
    }
    for profile in AudioConnection.profiles {
      guard let error = await failure("DisconnectProfile", at: device.path, [.string(profile)])
      else { continue }
      // A profile that is not connected is not an error.
      switch error.name {
      case "org.bluez.Error.NotConnected", "org.bluez.Error.InvalidArguments",
        "org.bluez.Error.NotAvailable", "org.bluez.Error.DoesNotExist",
        "org.bluez.Error.NotSupported":
        continue
      default: throw AudioLinkError(error)
      }
    }
    if await isAlone() { _ = await failure("Disconnect", at: device.path) }
  }
}
