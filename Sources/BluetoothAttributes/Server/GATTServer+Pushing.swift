public import BluetoothCodec
internal import BluetoothRadio

extension GATTServer {
  /// Returns whether the client has enabled notifications or indications of a value.
  public func isConfigured(_ handle: UInt16) -> Bool {
    configurations[handle, default: []] != []
  }

  /// Sends a value as a notification or an indication, as configured, or not at all.
  ///
  /// The value is truncated to ATT_MTU - 3 bytes. A client that is unaware of a changed table gets
  /// only Service Changed.
  public mutating func push(_ value: Bytes, of handle: UInt16) -> [Effect] {
    let isServiceChanged = table.type(at: handle) == .serviceChanged
    guard awareness.allowsPushing || isServiceChanged else { return [] }
    let item = ATTHandleValue(handle: handle, value: value.prefix(mtu - 3))
    let configuration = configurations[handle, default: []]
    if configuration.contains(.notifications) { return [send(.notification(item))] }
    guard configuration.contains(.indications) else { return [] }
    indications.append(item)
    return sendIndication()
  }

  /// Changes values and notifies them, if possible in one Multiple Handle Value Notification.
  public mutating func change(_ values: [(handle: UInt16, value: [UInt8])]) -> [Effect] {
    for (handle, value) in values { table.setValue(value, at: handle) }
    let notified = values.filter {
      configurations[$0.handle, default: []].contains(.notifications)
    }
    let items = notified.map { ATTHandleValue(handle: $0.handle, value: $0.value[...]) }
    let multiple = ATTServerPDU.multipleNotifications(items)
    guard items.count > 1, clientFeatures & Self.multipleNotificationsFeature != 0,
      awareness.allowsPushing, multiple.encoded().count <= mtu
    else { return values.flatMap { push($0.value[...], of: $0.handle) } }
    let others = values.filter { value in !notified.contains { $0.handle == value.handle } }
    return [send(multiple)] + others.flatMap { push($0.value[...], of: $0.handle) }
  }

  private mutating func sendIndication() -> [Effect] {
    guard indicated == nil, !indications.isEmpty else { return [] }
    let indication = indications.removeFirst()
    indicated = indication.handle
    return [send(.indication(indication))]
  }

  mutating func confirm() -> [Effect] {
    guard let confirmed = indicated.take() else { return [] }
    if table.type(at: confirmed) == .serviceChanged {
      unconfirmedChange = nil
      if awareness == .awaitingServiceChanged { awareness = .aware }
    }
    return [.confirmed] + sendIndication()
  }
}

enum ChangeAwareness: Hashable, Sendable {
  case aware
  case awaitingServiceChanged
  case unaware
  /// Database Out Of Sync was sent; after that, the next request makes the client aware.
  case respondedOutOfSync

  var allowsCommands: Bool { self == .aware }
  var allowsPushing: Bool { self == .aware }
}

extension GATTServer {
  static let robustCachingFeature: UInt8 = 1 << 0
  static let multipleNotificationsFeature: UInt8 = 1 << 2

  /// Replaces the table, as new firmware does, and indicates Service Changed if enabled.
  ///
  /// A bonded client gets the indication once its link is encrypted (Core 5.4, Vol 3, Part G, 7.1).
  ///
  /// - Parameter range: the handles that the client must discover again, or nil to simulate a
  ///   server that does not report the change.
  public mutating func replaceTable(
    _ services: [ServiceDefinition], changed range: ATTHandleRange? = .all
  ) -> [Effect] {
    let before = table
    table = AttributeTable(services)
    // A configuration belongs to its characteristic; that of Service Changed moves to the new
    // handle.
    let watching = before.handle(of: .serviceChanged).flatMap { configurations[$0] }
    configurations = configurations.filter { before.type(at: $0.key) == table.type(at: $0.key) }
    if let handle = table.handle(of: .serviceChanged) { configurations[handle] = watching }
    if clientFeatures & Self.robustCachingFeature != 0 { awareness = .unaware }
    guard let range else { return [] }
    unconfirmedChange = unconfirmedChange.map { $0.union(range) } ?? range
    return indicateChange()
  }

  /// Indicates a change that occurred without a bonded client; called once the link is encrypted.
  public mutating func linkWasEncrypted() -> [Effect] { indicateChange() }

  private mutating func indicateChange() -> [Effect] {
    guard let range = unconfirmedChange, !isBonded || security >= .medium,
      let handle = table.handle(of: .serviceChanged)
    else { return [] }
    let effects = push(range.encoded[...], of: handle)
    if !effects.isEmpty, awareness == .unaware { awareness = .awaitingServiceChanged }
    return effects
  }

  /// Throws Database Out Of Sync once for a client that is unaware of the change.
  mutating func checkAwareness(of request: ATTRequest) throws(ATTErrorResponse) {
    if case .exchangeMTU = request { return }
    if case .readByType(_, .databaseHash) = request {
      awareness = .aware
      return
    }
    switch awareness {
    case .aware: return
    case .respondedOutOfSync: awareness = .aware
    case .unaware, .awaitingServiceChanged:
      awareness = .respondedOutOfSync
      throw ATTErrorResponse(opcode: request.opcode, handle: 0, code: .databaseOutOfSync)
    }
  }
}

extension ATTHandleRange {
  fileprivate var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: start)
    bytes.append(littleEndian: end)
    return bytes
  }
}
