internal import BluetoothCodec
internal import BluetoothRadio
internal import DBus
internal import EventLoop

extension BlueZClient {
  private static let forever: Duration = .seconds(86_400 * 365)
  /// The interval of attempts to start a discovery; the kernel ends an earlier one within 11 s.
  private static let discoveryRetryInterval: Duration = .seconds(1)

  struct Discovery {
    fileprivate struct Scan {
      var results: DiscoveryResults
      var found: AsyncThrowingStream<DiscoveredPeripheral, any Error>.Continuation
    }

    fileprivate var scans: [UInt64: Scan] = [:]
    fileprivate var pauses = 0
    fileprivate var adapter: String?
    fileprivate var work: Task<Void, Never>?
    fileprivate var searches = 0
    fileprivate var inquiry: Task<Bool, Never>?
    /// Whether bluetoothd exited during a scan and no discovery has started since.
    fileprivate var isInterrupted = false

    mutating func end() {
      adapter = nil
      isInterrupted = !scans.isEmpty
    }
  }

  /// Returns the names of all devices that bluetoothd knows; empty if it does not respond.
  package func deviceNames() async -> [String] {
    guard await isPresent, let (objects, adapter) = presentAdapter else { return [] }
    return (objects.devices(of: adapter) + objects.devicesWithAttributes).compactMap(\.name)
  }

  /// The obstacle that a short scan does not notice: bluetoothd does not respond, or has exited.
  var scanObstacle: RadioError? {
    get async {
      let isPresent = await isPresent
      if isUnresponsive { return .bluetoothdUnresponsive(during: "scanning") }
      return isPresent || !discovery.isInterrupted
        ? nil : .noBluetoothd(operation: "scanning", capability: "CAP_NET_RAW")
    }
  }

  /// Reports devices nearby until the consumer ends or the time has passed; waits for bluetoothd.
  nonisolated func scan(
    _ options: ScanOptions,
    into found: AsyncThrowingStream<DiscoveredPeripheral, any Error>.Continuation
  ) async {
    guard let id = await begin(options, into: found) else { return }
    try? await clock.sleep(for: options.duration ?? Self.forever)
    await end(id)
    found.finish()
  }

  private func begin(
    _ options: ScanOptions,
    into found: AsyncThrowingStream<DiscoveredPeripheral, any Error>.Continuation
  ) async -> UInt64? {
    do throws(RadioError) {
      let before = losses
      let isPowered = await isPoweredInTime()
      if losses == before, !isPowered { throw .poweredOff(adapter: try adapter().name) }
      let id = add(Discovery.Scan(results: DiscoveryResults(options), found: found))
      // With a new bluetoothd, discovery starts as soon as that shows its adapter.
      if let error = await updateDiscovery().value, losses == before || isUnresponsive {
        discovery.scans[id] = nil
        throw error
      }
      return id
    } catch {
      found.finish(throwing: error)
      return nil
    }
  }

  private func add(_ scan: Discovery.Scan) -> UInt64 {
    let id = nextNumber()
    discovery.scans[id] = scan
    // Another program's discovery may have found devices already.
    for path in objects.tree.objects.keys.sorted() { report(path, to: id) }
    return id
  }

  private func end(_ id: UInt64) async {
    discovery.scans[id] = nil
    _ = await updateDiscovery().value
  }

  func reportToScans(_ path: String) {
    for id in discovery.scans.keys { report(path, to: id) }
  }

  private func report(_ path: String, to id: UInt64) {
    guard let adapter = objects.adapter(named: adapterName), path.hasPrefix(adapter.path + "/")
    else {
      discovery.scans[id]?.results.remove(path)
      return
    }
    guard let device = objects.device(at: path) else {
      discovery.scans[id]?.results.remove(path)
      return
    }
    guard let found = discovery.scans[id]?.results.update(device, at: stopwatch.elapsed) else {
      return
    }
    discovery.scans[id]?.found.yield(found)
  }

  /// Stops discovery until `resumeDiscovery()`, and returns when it has stopped.
  ///
  /// During discovery, the kernel connects LE only when it restarts its scan, after up to 10.24 s.
  func pauseDiscovery() async {
    discovery.pauses += 1
    _ = await updateDiscovery().value
  }

  func resumeDiscovery() {
    discovery.pauses -= 1
    updateDiscovery()
  }

  /// Starts or stops discovery as required, and returns why it does not run although it should.
  @discardableResult
  func updateDiscovery() -> Task<RadioError?, Never> {
    let previous = discovery.work
    let task = Task { () -> RadioError? in
      await previous?.value
      return await applyDiscovery()
    }
    discovery.work = Task { _ = await task.value }
    return task
  }

  /// Starts discovery at an adapter that was switched on, or appeared after bluetoothd's start.
  func restartDiscovery() {
    discovery.adapter = nil
    updateDiscovery()
  }

  private func applyDiscovery() async -> RadioError? {
    let isWanted = !discovery.scans.isEmpty && discovery.pauses == 0
    if let running = discovery.adapter, !isWanted {
      discovery.adapter = nil
      // A failure means that the discovery has ended already.
      _ = try? await call("StopDiscovery", of: BlueZAdapter.interface, at: running)
    }
    guard isWanted, discovery.adapter == nil, case .present = phase else { return nil }
    do throws(RadioError) {
      try await startDiscovery(on: try adapter())
      return nil
    } catch {
      return error
    }
  }

  private func startDiscovery(on adapter: BlueZAdapter) async throws(RadioError) {
    let before = losses
    do throws(DBusError) {
      try await call(
        "SetDiscoveryFilter", of: BlueZAdapter.interface, at: adapter.path,
        [.options(["Transport": .string("auto"), "DuplicateData": .boolean(true)])])
      try await call("StartDiscovery", of: BlueZAdapter.interface, at: adapter.path)
      if losses == before {
        discovery.adapter = adapter.path
        discovery.isInterrupted = false
      }
    } catch {
      // Discovery starts with the next bluetoothd.
      if losses != before, !isUnresponsive { return }
      switch error.name {
      // The kernel still runs the discovery of a bluetoothd that was killed.
      case "org.bluez.Error.InProgress": retryDiscovery()
      case "org.bluez.Error.NotReady": throw .poweredOff(adapter: adapter.name)
      default: throw RadioError(error, during: "scanning", adapter: adapter.name)
      }
    }
  }

  private func retryDiscovery() {
    Task {
      try? await clock.sleep(for: Self.discoveryRetryInterval)
      updateDiscovery()
    }
  }

  /// Searches for a BR/EDR device for at most two inquiries; returns false if bluetoothd cannot.
  ///
  /// bluetoothd allows only one discovery for each client, so several searches share it.
  @discardableResult
  func discover(
    on adapter: BlueZAdapter, until isFound: @escaping @Sendable (BlueZObjects) -> Bool
  ) async -> Bool {
    discovery.searches += 1
    let start = discovery.inquiry ?? Task { await startInquiry(on: adapter) }
    discovery.inquiry = start
    let hasStarted = await start.value
    if hasStarted { _ = await until(within: AudioConnection.inquiryTimeout, isFound) }
    discovery.searches -= 1
    if discovery.searches == 0 {
      discovery.inquiry = nil
      if hasStarted {
        _ = try? await call("StopDiscovery", of: BlueZAdapter.interface, at: adapter.path)
      }
      resumeDiscovery()
    }
    return hasStarted
  }

  private func startInquiry(on adapter: BlueZAdapter) async -> Bool {
    await pauseDiscovery()
    do throws(DBusError) {
      try await call(
        "SetDiscoveryFilter", of: BlueZAdapter.interface, at: adapter.path,
        [.options(["Transport": .string("bredr")])])
      try await call("StartDiscovery", of: BlueZAdapter.interface, at: adapter.path)
      return true
    } catch {
      return false
    }
  }
}
