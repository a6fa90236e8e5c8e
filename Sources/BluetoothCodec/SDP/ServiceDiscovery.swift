/// A Service Search Attribute transaction (Core 5.4, Vol 3, Part B, 4.7), as a value.
///
/// A device with a small MTU responds in parts. Each ``request`` but the first repeats the
/// continuation state of the part before.
///
/// ```swift
/// var discovery = ServiceDiscovery.product(transaction: 1)
/// var records: ServiceDiscovery.Records?
/// repeat {
///   try await bearer.send(discovery.request[...])
///   records = try discovery.receive(try await bearer.receive())
/// } while records == nil
/// let product = records.flatMap { ProductID($0) }
/// ```
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | PDU ID: 06 request, 07 response |
/// | 1 | 2 | transaction ID |
/// | 3 | 2 | length of the parameters |
/// | 5 | | request: search pattern, maximum byte count (2), attribute list |
/// | 5 | | response: byte count (2), attribute lists |
/// | | 1 + *n* | continuation state |
public struct ServiceDiscovery: Hashable, Sendable {
  /// The attributes of each service record, by attribute ID.
  public typealias Records = [[UInt16: SDPElement]]

  public static let psm: UInt16 = 0x0001

  private static let attributesRequest: UInt8 = 0x06
  private static let attributesResponse: UInt8 = 0x07
  /// The maximum byte count of one part; records take a few dozen bytes.
  private static let longestPart: UInt64 = 512
  /// The limit for all parts in bytes, so that a device cannot respond forever.
  private static let longestResponse = 4096
  private static let longestContinuation = 16

  private let transaction: UInt16
  private let service: BluetoothUUID
  private let attributes: [UInt16]
  private var continuation: [UInt8] = []
  private var received: [UInt8] = []

  /// Returns a request for Vendor ID, Product ID and Vendor ID Source (Device ID Profile 1.3, 5).
  ///
  /// - Parameter transaction: an ID that the responses repeat.
  public static func product(transaction: UInt16) -> ServiceDiscovery {
    ServiceDiscovery(
      transaction: transaction, service: ProductID.service,
      attributes: [
        ProductID.vendorAttribute, ProductID.productAttribute, ProductID.sourceAttribute,
      ])
  }

  /// Returns a request for the RFCOMM channel of a service.
  public static func channel(
    for service: BluetoothUUID, transaction: UInt16
  ) -> ServiceDiscovery {
    ServiceDiscovery(
      transaction: transaction, service: service, attributes: [SerialChannel.protocolsAttribute])
  }

  /// Returns a request for the services on serial channels, for ``SerialChannel/services(_:)``.
  public static func serialServices(transaction: UInt16) -> ServiceDiscovery {
    ServiceDiscovery(
      transaction: transaction, service: SerialChannel.serial,
      attributes: [SerialChannel.classesAttribute, SerialChannel.protocolsAttribute])
  }

  private init(transaction: UInt16, service: BluetoothUUID, attributes: [UInt16]) {
    self.transaction = transaction
    self.service = service
    self.attributes = attributes
  }

  /// The PDU that requests the first part or the next one.
  public var request: [UInt8] {
    let attributes = attributes.map { SDPElement.unsigned(UInt64($0)) }
    return pdu(
      Self.attributesRequest,
      SDPElement.sequence([.uuid(service)]).encoded()
        + SDPElement.bigEndian(Self.longestPart, 2) + SDPElement.sequence(attributes).encoded()
        + [UInt8(continuation.count)] + continuation)
  }

  /// Returns a device's response to ``request``, with all records in one part.
  public func response(with records: Records) -> [UInt8] {
    let lists = SDPElement.sequence(
      records.map { record in
        .sequence(
          record.sorted { $0.key < $1.key }.flatMap { [.unsigned(UInt64($0.key)), $0.value] })
      }
    ).encoded()
    return pdu(
      Self.attributesResponse, SDPElement.bigEndian(UInt64(lists.count), 2) + lists + [0])
  }

  private func pdu(_ kind: UInt8, _ parameters: [UInt8]) -> [UInt8] {
    [kind] + SDPElement.bigEndian(UInt64(transaction), 2)
      + SDPElement.bigEndian(UInt64(parameters.count), 2) + parameters
  }

  /// Takes a response and returns the records, or nil if ``request`` must fetch the next part.
  ///
  /// - Throws: ``MalformedBytes`` for a response that is malformed, an error, of another
  ///   transaction, a part without content, or longer than 4096 bytes in total.
  public mutating func receive(_ response: Bytes) throws(MalformedBytes) -> Records? {
    var reader = ByteReader(response, of: "service discovery answer")
    let kind = try reader.uint8()
    guard kind == Self.attributesResponse else {
      throw reader.malformed(.unknownType(UInt64(kind)), at: 0)
    }
    let number = try reader.uint16().byteSwapped
    guard number == transaction else { throw reader.malformed(.badValue(UInt64(number)), at: 1) }
    var parameters = try reader.section(Int(try reader.uint16().byteSwapped))
    try reader.finish()
    let part = try parameters.read(Int(try parameters.uint16().byteSwapped))
    let state = try parameters.read(Int(try parameters.uint8()))
    try parameters.finish()
    received += part
    guard received.count <= Self.longestResponse else {
      throw reader.malformed(.tooLong(count: received.count, limit: Self.longestResponse))
    }
    guard !state.isEmpty else { return try Self.records(in: received[...]) }
    guard !part.isEmpty, state.count <= Self.longestContinuation else {
      throw parameters.malformed(.badLength(state.count))
    }
    continuation = Array(state)
    return nil
  }

  static func records(in lists: Bytes) throws(MalformedBytes) -> Records {
    var reader = ByteReader(lists, of: "service discovery answer")
    guard case .sequence(let records) = try SDPElement(&reader) else { return [] }
    return records.map { record in
      guard case .sequence(let items) = record else { return [:] }
      var attributes: [UInt16: SDPElement] = [:]
      for index in stride(from: 0, to: items.count - 1, by: 2) {
        guard case .unsigned(let number) = items[index], let key = UInt16(exactly: number) else {
          continue
        }
        attributes[key] = items[index + 1]
      }
      return attributes
    }
  }
}
