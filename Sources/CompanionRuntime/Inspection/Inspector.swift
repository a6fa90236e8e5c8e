package import BluetoothAttributes
package import BluetoothCodec
internal import BluetoothRadio
internal import Companion
internal import HeadphoneProtocols

/// A manual reader and writer of attributes, whose meaning need not be known.
package struct Inspector: Sendable {
  static let lack = "this kind of link has no GATT attributes"

  private let client: GATTClient

  /// Creates an inspector; a driver may use `client` at the same time.
  package init(_ client: GATTClient) { self.client = client }

  static func run<Result: Sendable>(
    in dependencies: Dependencies, _ peer: PeerAddress, within timeout: Duration,
    _ work: @Sendable (Inspector) async throws(CommandError) -> Result
  ) async throws(CommandError) -> Result {
    let bearer: any Bearer
    do throws(RadioError) {
      bearer = try await dependencies.radio.connect(
        to: peer, timeout: min(timeout, HeadphoneConnection.timeout))
    } catch {
      throw .radio(error)
    }
    defer { bearer.close(.user) }
    let inspector = Inspector(GATTClient(bearer: bearer, clock: dependencies.clock))
    try await inspector.gatt { client throws(GATTError) in _ = try await client.exchangeMTU() }
    return try await work(inspector)
  }

  /// Reads the whole database; a value that cannot be read is replaced by the reason.
  package func survey() async throws(CommandError) -> DatabaseReport {
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

  package func read(_ uuid: BluetoothUUID) async throws(CommandError) -> ValuesReport {
    var values: [(UInt16, AttributeValue)] = []
    for characteristic in try await characteristics(uuid) {
      values.append((characteristic.handle, try await value(of: characteristic.handle)))
    }
    return ValuesReport(values)
  }

  /// Writes the only characteristic of a type.
  ///
  /// - Parameters:
  ///   - value: The bytes to send, at most 512.
  ///   - withoutResponse: Whether to send a Write Command, which is not acknowledged.
  ///
  /// - Throws: ``CommandError/unavailable(_:)`` if there are none or several, and for bytes that
  ///   are known to harm a headphone; ``CommandError/command(_:)`` with the ATT error.
  package func write(
    _ value: [UInt8], to uuid: BluetoothUUID, withoutResponse: Bool
  ) async throws(CommandError) {
    let found = try await characteristics(uuid)
    guard found.count == 1, let characteristic = found.first else {
      throw .unavailable("\(found.count) characteristics have the type \(uuid)")
    }
    let database = try await gatt { client throws(GATTError) in
      try await client.completeDatabase()
    }
    if let refusal = HeadphoneFamily.refusal(
      of: value[...], to: characteristic.handle, in: database)
    {
      throw .unavailable(refusal)
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

  /// Returns a value, or why it cannot be read; throws only if the link has ended.
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
  /// Returns the complete database, discovering it if it is not known.
  ///
  /// A discovery in progress, or outdated by a Service Changed indication, is repeated.
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

enum AttributeValue: Hashable, Sendable {
  case known([UInt8])
  case unreadable(String)
}
