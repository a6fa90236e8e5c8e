internal import Bluetooth
internal import BluetoothCodec
internal import GATT
internal import HeadphoneProtocols

/// A driver over a GATT client, on whose executor it runs.
protocol GATTBacked: Actor {
  nonisolated var client: GATTClient { get }
}

extension GATTBacked {
  /// Runs a GATT procedure on the client's executor, with its errors as the driver's.
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

  /// Whether it is not the headphone that refuses to be written, but the program that holds its link.
  private func isWithheld(_ refusal: ATTErrorResponse) async -> Bool {
    let withheld = client.bearer.withheldServices
    guard refusal.code == .writeNotPermitted, !withheld.isEmpty else { return false }
    let service = await client.database.service(with: refusal.handle)
    return service.map { withheld.contains($0.uuid) } ?? false
  }

  /// Writes to a control point, again after a second where an earlier procedure is still under way.
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

  /// An error of a request as a person may read it, where a service of LE Audio defines it.
  func explained(_ error: HeadphoneError) async -> HeadphoneError {
    guard case .gatt(.att(let refusal)) = error,
      let service = await client.database.service(with: refusal.handle),
      let text = ServiceErrors.text(refusal.code, of: service.uuid)
    else { return error }
    return .service(text)
  }

  /// The requests that were left out on this link, in words.
  var omissions: [String] {
    get async {
      await client.omissions.map { "\($0.opcode): left out, since the last link ended at it" }
    }
  }

  /// The handles of the descriptors of one type, by their characteristic's handle.
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

/// A part of a driver that receives values until it ends, which may be before the link does.
protocol ValueFollower: GATTBacked {
  /// What it receives.
  var deliveries: [ValueDelivery] { get set }
  /// Whether it has ended, and is to receive nothing more.
  var isOver: Bool { get }
}

extension ValueFollower {
  /// Has the headphone send the values of a characteristic, if it can, and receives them.
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

  /// Has the headphone send the values of a characteristic unless it refuses: they are then read at
  /// each refresh.
  func followIfAllowed(
    _ characteristic: Characteristic,
    _ receive: @escaping @Sendable (isolated Self, Bytes) -> Void
  ) async throws(HeadphoneError) {
    do throws(HeadphoneError) { try await follow(characteristic, receive) } catch .gatt {}
  }

  /// Receives no further value.
  func endDeliveries() {
    let ended = deliveries
    deliveries = []
    // Its actor has the same executor.
    client.assumeIsolated { client in
      for delivery in ended { client.end(delivery) }
    }
  }
}

/// How often a control point that is busy is written to.
private let controlPointAttempts = 3

extension Database {
  /// The service that has an attribute.
  fileprivate func service(with handle: UInt16) -> Service? {
    services.first { $0.range.contains(handle) }
  }
}

extension GATTError {
  /// Why a part of the headphone is missing, behind its name.
  var absence: String {
    switch self {
    case _ where isCuredByPairing: "it wants to be paired: earshot pair NAME"
    case .att(let error): "the headphone refuses it: \(error.code)"
    default: "the headphone does not answer as it should"
    }
  }

  /// Whether a paired link may be what is wanting.
  var isCuredByPairing: Bool {
    switch self {
    case .security: true
    case .att(let error): error.code.isCuredBySecurity
    default: false
    }
  }
}

extension HeadphoneError {
  /// A GATT error as this layer names it.
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
  /// Acquires the lock, after the callers that were waiting before.
  ///
  /// - Throws: `cancelled`, without the lock.
  nonisolated(nonsending) func acquire() async throws(HeadphoneError) {
    do throws(GATTError) { try await lock() } catch { throw .cancelled }
  }
}
