internal import Bluetooth
public import BluetoothCodec
internal import Companion
public import GATT
internal import Headphones

/// A headphone's attributes, read and written by hand, whatever they mean.
public struct Inspector: Sendable {
  private let client: GATTClient

  /// Looks at the attributes over a link that something else may use at the same time.
  public init(_ client: GATTClient) { self.client = client }

  /// Links with a device, whatever it is, does `work`, and ends the link.
  static func run<Result: Sendable>(
    in world: Dependencies, _ peer: PeerAddress, within timeout: Duration,
    _ work: @Sendable (Inspector) async throws(CommandError) -> Result
  ) async throws(CommandError) -> Result {
    let bearer: any Bearer
    do throws(RadioError) {
      bearer = try await world.radio.connect(
        to: peer, timeout: min(timeout, HeadphoneConnection.timeout))
    } catch {
      throw .radio(error)
    }
    defer { bearer.close(.user) }
    let inspector = Inspector(GATTClient(bearer: bearer, clock: world.clock))
    try await inspector.gatt { client throws(GATTError) in _ = try await client.exchangeMTU() }
    return try await work(inspector)
  }

  /// Everything that the headphone has: services, characteristics, descriptors, values.
  ///
  /// What cannot be read says why in its place.
  public func survey() async throws(CommandError) -> DatabaseReport {
    let database = try await gatt { client throws(GATTError) in
      try await client.completeDatabase(withDescriptors: true)
    }
    var values: [UInt16: AttributeValue] = [:]
    for characteristic in database.services.flatMap(\.characteristics) {
      if characteristic.properties.contains(.read) {
        values[characteristic.handle] = try await value(of: characteristic.handle)
      }
      for descriptor in characteristic.descriptors ?? [] {
        values[descriptor.handle] = try await value(of: descriptor.handle)
      }
    }
    return DatabaseReport(database, values: values)
  }

  /// The values of all characteristics of a type.
  public func read(_ uuid: BluetoothUUID) async throws(CommandError) -> ValuesReport {
    var values: [(UInt16, AttributeValue)] = []
    for characteristic in try await characteristics(uuid) {
      values.append((characteristic.handle, try await value(of: characteristic.handle)))
    }
    return ValuesReport(values)
  }

  /// Writes a value to the only characteristic of a type.
  public func write(
    _ value: [UInt8], to uuid: BluetoothUUID, withoutResponse: Bool
  ) async throws(CommandError) {
    let found = try await characteristics(uuid)
    guard found.count == 1, let characteristic = found.first else {
      throw .unavailable("\(found.count) characteristics have the type \(uuid)")
    }
    try await gatt { client throws(GATTError) in
      if withoutResponse {
        try await client.writeWithoutResponse(value[...], to: characteristic.handle)
      } else {
        try await client.write(value[...], to: characteristic.handle)
      }
    }
  }

  private func characteristics(_ uuid: BluetoothUUID) async throws(CommandError)
    -> [Characteristic]
  {
    let database = try await gatt { client throws(GATTError) in
      try await client.completeDatabase()
    }
    let found = database.services.flatMap(\.characteristics).filter { $0.uuid == uuid }
    guard !found.isEmpty else { throw .unavailable("no characteristic has the type \(uuid)") }
    return found
  }

  private func value(of handle: UInt16) async throws(CommandError) -> AttributeValue {
    do throws(GATTError) {
      return .known(Array(try await client.read(handle)))
    } catch .closed(let closed) {
      throw .link(DisconnectReason(closed.reason))
    } catch {
      return .unreadable(error.displayText)
    }
  }

  private func gatt<Result: Sendable>(
    _ work: (GATTClient) async throws(GATTError) -> Result
  ) async throws(CommandError) -> Result {
    do throws(GATTError) {
      return try await work(client)
    } catch {
      throw .command(CommandFailure(.gatt(error)))
    }
  }
}

extension GATTClient {
  /// Everything that the headphone has; what is known already is not asked for again.
  ///
  /// Only a whole discovery counts as known: one that is under way, or that a change of the
  /// services has overtaken, is made anew.
  func completeDatabase(
    withDescriptors: Bool = false
  ) async throws(GATTError) -> Database {
    if cache == nil { try await discoverAll() }
    guard withDescriptors else { return database }
    let unknown = database.services.flatMap(\.characteristics).filter { $0.descriptors == nil }
    if !unknown.isEmpty { try await discoverDescriptors(of: unknown) }
    return database
  }
}

/// What was read of an attribute.
enum AttributeValue: Hashable, Sendable {
  case known([UInt8])
  /// Why not.
  case unreadable(String)
}
