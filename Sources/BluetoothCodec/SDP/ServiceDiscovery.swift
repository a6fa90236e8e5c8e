/// The questions that are asked of a device's service records: which product it is, and where a
/// service is (Core 5.4, Vol 3, Part B, 4.7).
public enum ServiceDiscovery {
  /// L2CAP's number of the channel.
  public static let psm: UInt16 = 0x0001

  private static let attributesRequest: UInt8 = 0x06
  private static let attributesResponse: UInt8 = 0x07
  /// Bytes of an answer at most: the record takes a few dozen.
  private static let mostBytes: UInt64 = 512

  /// Asks for vendor, product, and who numbers the vendors.
  public static func productRequest(transaction: UInt16) -> [UInt8] {
    request(
      transaction, for: ProductID.service,
      [ProductID.vendorAttribute, ProductID.productAttribute, ProductID.sourceAttribute])
  }

  /// Asks on which channel of RFCOMM a service is.
  public static func channelRequest(
    for service: BluetoothUUID, transaction: UInt16
  ) -> [UInt8] {
    request(transaction, for: service, [SerialChannel.protocolsAttribute])
  }

  private static func request(
    _ transaction: UInt16, for service: BluetoothUUID, _ attributes: [UInt16]
  ) -> [UInt8] {
    let attributes = attributes.map { SDPElement.unsigned(UInt64($0)) }
    let parameters =
      SDPElement.sequence([.uuid(service)]).encoded()
      + SDPElement.bigEndian(mostBytes, 2) + SDPElement.sequence(attributes).encoded()
      // No continuation: this is the whole question.
      + [0]
    return [attributesRequest] + SDPElement.bigEndian(UInt64(transaction), 2)
      + SDPElement.bigEndian(UInt64(parameters.count), 2) + parameters
  }

  /// The records of an answer, each as its attributes by their numbers.
  ///
  /// - Throws: also for an answer that is an error, belongs to another question, or goes on in a
  ///   further one.
  public static func records(
    in answer: Bytes, to transaction: UInt16
  ) throws(MalformedBytes) -> [[UInt16: SDPElement]] {
    var reader = ByteReader(answer, of: "service discovery answer")
    let kind = try reader.uint8()
    guard kind == attributesResponse else {
      throw reader.malformed(.unknownType(UInt64(kind)), at: 0)
    }
    let number = try reader.uint16().byteSwapped
    guard number == transaction else { throw reader.malformed(.badValue(UInt64(number)), at: 1) }
    var parameters = try reader.section(Int(try reader.uint16().byteSwapped))
    try reader.finish()
    var lists = try parameters.section(Int(try parameters.uint16().byteSwapped))
    let more = try parameters.uint8()
    guard more == 0 else { throw parameters.malformed(.badValue(UInt64(more))) }
    guard case .sequence(let records) = try SDPElement(&lists) else { return [] }
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
