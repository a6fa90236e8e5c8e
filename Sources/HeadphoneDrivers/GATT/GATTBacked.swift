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
    return await client.database.services.contains { service in
      service.range.contains(refusal.handle) && withheld.contains(service.uuid)
    }
  }

  /// Has the headphone send the values of a characteristic, if it can, and receives them.
  func follow(
    _ characteristic: Characteristic,
    _ receive: @escaping @Sendable (isolated Self, Bytes) -> Void
  ) async throws(HeadphoneError) {
    guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else { return }
    try await gatt { client throws(GATTError) in
      try await client.subscribe(to: characteristic) { received in
        guard case .success(let value) = received else { return }
        self.assumeIsolated { receive($0, value) }
      }
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
