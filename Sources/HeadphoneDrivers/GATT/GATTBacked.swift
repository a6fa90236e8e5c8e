internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import HeadphoneProtocols

/// An actor that uses a GATT client and runs on its executor.
protocol GATTBacked: Actor {
  nonisolated var client: GATTClient { get }
}

extension GATTBacked {
  func gatt<Value: Sendable>(
    _ procedure: nonisolated(nonsending) (GATTClient) async throws(GATTError) -> Value
  ) async throws(HeadphoneError) -> Value {
    do throws(GATTError) {
      return try await procedure(client)
    } catch {
      guard case .att(let refusal) = error, await isWithheld(refusal) else {
        throw HeadphoneError(error)
      }
      throw .withheld
    }
  }

  /// Returns whether an error comes from the program that holds the link, not from the headphone.
  private func isWithheld(_ refusal: ATTErrorResponse) async -> Bool {
    let withheld = client.bearer.withheldServices
    guard refusal.code == .writeNotPermitted, !withheld.isEmpty else { return false }
    let service = await client.database.service(with: refusal.handle)
    return service.map { withheld.contains($0.uuid) } ?? false
  }

  /// Writes to a control point, again after a second if another procedure is in progress.
  func write(
    _ bytes: [UInt8], to control: Characteristic, by clock: any Clock<Duration>
  ) async throws(HeadphoneError) {
    for _ in 1..<controlPointAttempts {
      do throws(HeadphoneError) {
        return try await write(bytes, to: control)
      } catch .gatt(.att(let error)) where error.code == .procedureAlreadyInProgress {
        try? await clock.sleep(for: .seconds(1))
      }
    }
    try await write(bytes, to: control)
  }

  private func write(
    _ bytes: [UInt8], to characteristic: Characteristic
  ) async throws(HeadphoneError) {
    try await gatt { client throws(GATTError) in
      try await client.write(bytes[...], to: characteristic)
    }
  }

  /// Returns an error with the text that a service of LE Audio defines for it, or the error itself.
  func explained(_ error: HeadphoneError) async -> HeadphoneError {
    guard case .gatt(.att(let refusal)) = error,
      let service = await client.database.service(with: refusal.handle),
      let text = ServiceErrors.text(refusal.code, of: service.uuid)
    else { return error }
    return .service(text)
  }

  var omissions: [String] {
    get async {
      await client.omissions.map { "\($0.opcode): left out, since the last link ended at it" }
    }
  }

  func descriptors(
    _ type: BluetoothUUID, of characteristics: [Characteristic]
  ) async throws(HeadphoneError) -> [UInt16: UInt16] {
    let unknown = characteristics.filter { $0.descriptors == nil }
    let found = try await gatt { client throws(GATTError) -> [UInt16: [Descriptor]] in
      unknown.isEmpty ? [:] : try await client.discoverDescriptors(of: unknown)
    }
    var handles: [UInt16: UInt16] = [:]
    for one in characteristics {
      let descriptors = one.descriptors ?? found[one.handle] ?? []
      handles[one.handle] = descriptors.first { $0.uuid == type }?.handle
    }
    return handles
  }
}

/// A part of a driver that receives values until it ends, perhaps before the link does.
protocol ValueFollower: GATTBacked {
  var deliveries: [ValueDelivery] { get set }
  var isOver: Bool { get }
}

extension ValueFollower {
  func follow(
    _ characteristic: Characteristic,
    _ receive: @escaping @Sendable (isolated Self, Bytes) -> Void
  ) async throws(HeadphoneError) {
    guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else { return }
    let delivery = try await gatt { client throws(GATTError) in
      try await client.subscribe(to: characteristic) { received in
        guard case .success(let value) = received else { return }
        self.assumeIsolated { receive($0, value) }
      }
    }
    deliveries.append(delivery)
    if isOver { endDeliveries() }
  }

  /// Subscribes to a value; if the headphone rejects that, only refreshes read the value.
  func followIfAllowed(
    _ characteristic: Characteristic,
    _ receive: @escaping @Sendable (isolated Self, Bytes) -> Void
  ) async throws(HeadphoneError) {
    do throws(HeadphoneError) { try await follow(characteristic, receive) } catch .gatt {}
  }

  func endDeliveries() {
    let ended = deliveries
    deliveries = []
    // The client has the same executor as this actor.
    client.assumeIsolated { client in
      for delivery in ended { client.end(delivery) }
    }
  }
}

/// The most writes to a control point that is busy.
private let controlPointAttempts = 3

extension Database {
  fileprivate func service(with handle: UInt16) -> Service? {
    services.first { $0.range.contains(handle) }
  }
}

extension GATTError {
  /// The reason why a feature is missing, to be displayed after its name.
  var absence: String {
    switch self {
    case _ where isCuredByPairing: "it wants to be paired: earshot pair NAME"
    case .att(let error): "the headphone refuses it: \(error.code)"
    default: "the headphone does not answer as it should"
    }
  }

  var isCuredByPairing: Bool {
    switch self {
    case .security: true
    case .att(let error): error.code.isCuredBySecurity
    default: false
    }
  }
}

extension HeadphoneError {
  init(_ error: GATTError) {
    self =
      switch error {
      case .closed(let closed): .closed(closed)
      case .cancelled: .cancelled
      default: .gatt(error)
      }
  }
}

extension AsyncMutex {
  /// Acquires the lock after earlier callers; throws `cancelled`, and then does not hold the lock.
  nonisolated(nonsending) func acquire() async throws(HeadphoneError) {
    do throws(GATTError) { try await lock() } catch { throw .cancelled }
  }
}
