internal import BluetoothRadio
internal import Companion
internal import HeadphoneProtocols

extension LiveEffectHandler {
  /// Examines the adapter and sends its state, which may be an error.
  ///
  /// Answered by ``/Companion/Action/adapterChanged(_:)``; errors that are no states are also
  /// logged.
  func lookAtAdapter(_ send: @escaping Send) async {
    do throws(RadioError) {
      let adapter = try await dependencies.lookAtAdapter()
      adapterFailure = nil
      send(.adapterChanged(adapter))
      watchLinks(send)
    } catch {
      adapterFailure = error
      send(.adapterChanged(AdapterState(error)))
      switch error {
      case .noBluetoothd, .bluetoothdUnresponsive, .unknownAdapter, .controller, .bluetoothd,
        .system:
        send(.noted(.error, nil, "\(error)"))
      default: break
      }
    }
  }

  /// Follows the adapter's connections, answered by ``/Companion/Action/audioLinks(_:)``.
  ///
  /// The stream ends without an element when the adapter is switched off.
  private func watchLinks(_ send: @escaping Send) {
    linkWatch?.cancel()
    let links = dependencies.radio.links()
    linkWatch = Task {
      var isReported = false
      for await list in links {
        guard !Task.isCancelled else { return }
        isReported = true
        send(.audioLinks(AudioLinks(list)))
      }
      if isReported, !Task.isCancelled { send(.audioLinks(nil)) }
    }
  }

  /// Starts a scan that replaces a running one.
  ///
  /// Answered by `scan(.started)`, then a `discovered` for each advertisement, and finally `ended`,
  /// `denied` or `failed`.
  func startScan(_ send: @escaping Send) {
    scan?.cancel()
    // The reducer decides which are too weak to be listed: the finder follows all.
    let options = ScanOptions(
      services: dependencies.services, patterns: dependencies.patterns, rssiFloor: .min)
    let peripherals = dependencies.radio.scan(options)
    send(.scan(.started))
    scan = Task { [weak self] in
      do {
        for try await peripheral in peripherals {
          guard !Task.isCancelled else { return }
          self?.links.receive(peripheral, send: send)
        }
        if !Task.isCancelled { send(.scan(.ended)) }
      } catch {
        guard !Task.isCancelled, let error = error as? RadioError else { return }
        await self?.reportFailedScan(error, send)
      }
    }
  }

  private func reportFailedScan(_ error: RadioError, _ send: @escaping Send) async {
    switch error {
    case .notPermitted(_, let capability): send(.scan(.denied(capability: capability)))
    case .noBluetoothd(_, let capability):
      send(.scan(.denied(capability: capability, isBluetoothdGone: true)))
    case .cancelled: send(.scan(.ended))
    case .noAdapter, .unknownAdapter, .poweredOff, .blocked:
      send(.scan(.ended))
      await lookAtAdapter(send)
    case .bluetoothdUnresponsive, .busy, .noRoom, .timedOut, .refused, .unpaired,
      .controller, .bluetoothd, .system:
      send(.scan(.failed(error)))
    }
  }

  /// Searches for broadcasts until it is called again, or the search fails.
  ///
  /// This scan is separate from the one for headphones. Answered by
  /// ``/Companion/Action/broadcast(_:)``.
  func searchBroadcasts(_ isOn: Bool, _ send: @escaping Send) {
    broadcastSearch?.cancel()
    broadcastSearch = nil
    guard isOn else { return }
    let found = dependencies.radio.scan(
      ScanOptions(services: [.broadcastAnnouncement], rssiFloor: .min, duration: nil))
    broadcastSearch = Task {
      do {
        for try await source in found {
          guard !Task.isCancelled else { return }
          let broadcast = Broadcast(
            source.data, at: source.peer, set: source.advertisingSet,
            interval: source.periodicInterval, rssi: source.rssi)
          if let broadcast { send(.broadcast(.heard(broadcast))) }
        }
        guard !Task.isCancelled else { return }
        send(.broadcast(.failed("the scan ended", advice: "")))
      } catch {
        guard !Task.isCancelled, let error = error as? RadioError else { return }
        send(.broadcast(.failed("\(error)", advice: error.advice)))
      }
    }
  }

  func stopScan(_ send: Send) {
    guard let scan else { return }
    scan.cancel()
    self.scan = nil
    send(.scan(.ended))
  }
}
