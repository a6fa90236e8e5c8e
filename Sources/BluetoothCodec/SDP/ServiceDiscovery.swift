/// One Service Search Attribute transaction: the question which product a device is, or where a
/// service is (Core 5.4, Vol 3, Part B, 4.7.1).
///
/// A value without I/O: ``request`` goes to the device, ``receive(_:)`` takes the answer. A device
/// with a small MTU answers in parts, each of which is asked for with the continuation state of the
/// one before.
///
/// ```swift
/// var discovery = ServiceDiscovery.product(transaction: 1)
/// repeat { try await bearer.send(discovery.request[...]) }
/// while try discovery.receive(try await bearer.receive()) == nil
/// ```
public struct ServiceDiscovery: Hashable, Sendable {
  /// The attributes of each record by their numbers.
  public typealias Records = [[UInt16: SDPElement]]

  /// The PSM of SDP's channel.
  public static let psm: UInt16 = 0x0001

  private static let attributesRequest: UInt8 = 0x06
  private static let attributesResponse: UInt8 = 0x07
  /// Bytes of one part at most: the record takes a few dozen.
  private static let longestPart: UInt64 = 512
  /// Bytes of all parts at most, so that a device cannot answer for ever.
  private static let longestAnswer = 4096
  /// Bytes of a continuation state at most (Core 5.4, Vol 3, Part B, 4.3).
  private static let longestContinuation = 16

  private let transaction: UInt16
  /// The pattern and the attributes that are asked for.
  private let service: BluetoothUUID
  private let attributes: [UInt16]
  /// What the device wants to see again with the next request; empty in the first.
  private var continuation: [UInt8] = []
  private var received: [UInt8] = []

  /// Asks for vendor, product, and who numbers the vendors.
  ///
  /// - Parameter transaction: the number that the answers must have.
  public static func product(transaction: UInt16) -> ServiceDiscovery {
    ServiceDiscovery(
      transaction: transaction, service: ProductID.service,
      attributes: [
        ProductID.vendorAttribute, ProductID.productAttribute, ProductID.sourceAttribute,
      ])
  }

  /// Asks for the RFCOMM channel of a service.
  ///
  /// - Parameter transaction: the number that the answers must have.
  public static func channel(
    for service: BluetoothUUID, transaction: UInt16
  ) -> ServiceDiscovery {
    ServiceDiscovery(
      transaction: transaction, service: service, attributes: [SerialChannel.protocolsAttribute])
  }

  /// Asks for the services on serial channels; ``SerialChannel/services(_:)`` reads the answer.
  ///
  /// - Parameter transaction: the number that the answers must have.
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

  /// The PDU that asks for the first part, or for the next one.
  public var request: [UInt8] {
    let attributes = attributes.map { SDPElement.unsigned(UInt64($0)) }
    let parameters =
      SDPElement.sequence([.uuid(service)]).encoded()
      + SDPElement.bigEndian(Self.longestPart, 2) + SDPElement.sequence(attributes).encoded()
      + [UInt8(continuation.count)] + continuation
    return [Self.attributesRequest] + SDPElement.bigEndian(UInt64(transaction), 2)
      + SDPElement.bigEndian(UInt64(parameters.count), 2) + parameters
  }

  /// Takes an answer.
  ///
  /// - Returns: the records; nil if the answer goes on: then ``request`` asks for the next part.
  /// - Throws: what is wrong with an answer that is malformed, an error, of another transaction, a
  ///   part without content, or longer than 4096 bytes in all.
  public mutating func receive(_ answer: Bytes) throws(MalformedBytes) -> Records? {
    var reader = ByteReader(answer, of: "service discovery answer")
    let kind = try reader.uint8()
    guard kind == Self.attributesResponse else {
      throw reader.malformed(.unknownType(UInt64(kind)), at: 0)
    }
    let number = try reader.uint16().byteSwapped
    guard number == transaction else { throw reader.malformed(.badValue(UInt64(number)), at: 1) }
    var parameters = try reader.section(Int(try reader.uint16().byteSwapped))
    try reader.finish()
    let part = try parameters.take(Int(try parameters.uint16().byteSwapped))
    let state = try parameters.take(Int(try parameters.uint8()))
    try parameters.finish()
    received += part
    guard received.count <= Self.longestAnswer else {
      throw reader.malformed(.tooLong(count: received.count, limit: Self.longestAnswer))
    }
    guard !state.isEmpty else { return try Self.records(in: received[...]) }
    guard !part.isEmpty, state.count <= Self.longestContinuation else {
      throw parameters.malformed(.badLength(state.count))
    }
    continuation = Array(state)
    return nil
  }

  private static func records(in lists: Bytes) throws(MalformedBytes) -> Records {
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
