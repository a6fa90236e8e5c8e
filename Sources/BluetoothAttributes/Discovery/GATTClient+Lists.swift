internal import BluetoothCodec

// Lists of a server's attributes, page by page. None of these changes the client's database.

extension GATTClient {
  /// The number of requests after which a discovery is given up.
  ///
  /// A hostile server may report one attribute per page. The longest discovery of a real headphone,
  /// with 128-bit types at an MTU of 23 bytes, takes fewer than 100.
  package static let longestList = 512

  /// Requests a range page by page, up to Attribute Not Found, the range's end or 0xFFFF.
  ///
  /// Each page must advance, so that no server can keep the client in a loop.
  ///
  /// - Parameters:
  ///   - items: returns the contents of a response, or nil if it does not match this request.
  ///   - span: returns the first and last handle of an item.
  private func paginate<Item>(
    _ range: ATTHandleRange, _ recovery: RequestRecovery,
    request makeRequest: (ATTHandleRange) -> ATTRequest,
    items: (ATTResponse) -> [Item]?,
    span: (Item) -> ATTHandleRange
  ) async throws(GATTError) -> [Item] {
    var found: [Item] = []
    var rest = range
    for _ in 0..<Self.longestList {
      let response: ATTResponse
      do throws(GATTError) {
        response = try await request(makeRequest(rest), recovery)
      } catch .att(let error) where error.code == .attributeNotFound {
        return found
      }
      guard let page = items(response), !page.isEmpty else {
        throw unexpected(response, to: makeRequest(rest).opcode)
      }
      var next = rest.start
      for item in page {
        let span = span(item)
        guard span.start >= next, span.end >= span.start, span.start <= rest.end else {
          throw .unexpectedResponse("handle \(span.start) out of order in a \(response.opcode)")
        }
        found.append(item)
        guard span.end < rest.end, span.end < .max else { return found }
        next = span.end + 1
      }
      rest.start = next
    }
    throw .listTooLong(makeRequest(rest).opcode, requests: Self.longestList)
  }

  /// Returns the attributes of a type with their values, truncated to the length of the first.
  func valuesByType(
    _ type: BluetoothUUID, in range: ATTHandleRange, _ recovery: RequestRecovery = .full
  ) async throws(GATTError) -> [ATTHandleValue] {
    try await paginate(range, recovery) {
      .readByType($0, type: type)
    } items: {
      if case .readByType(let items) = $0 { items } else { nil }
    } span: {
      ATTHandleRange(start: $0.handle, end: $0.handle)
    }
  }

  func rangesOfServices(withValue value: Bytes) async throws(GATTError) -> [ATTHandleRange] {
    try await paginate(.all, .full) {
      .findByTypeValue($0, type: 0x2800, value: value)
    } items: {
      if case .findByTypeValue(let ranges) = $0 { ranges } else { nil }
    } span: {
      $0
    }
  }

  func information(
    in range: ATTHandleRange, _ recovery: RequestRecovery
  ) async throws(GATTError) -> [ATTInformation] {
    try await paginate(range, recovery) {
      .findInformation($0)
    } items: {
      if case .findInformation(let items) = $0 { items } else { nil }
    } span: {
      ATTHandleRange(start: $0.handle, end: $0.handle)
    }
  }

  func services(
    _ type: BluetoothUUID, in range: ATTHandleRange
  ) async throws(GATTError) -> [Service] {
    let groups = try await paginate(range, .withinDiscovery) {
      .readByGroupType($0, type: type)
    } items: {
      if case .readByGroupType(let groups) = $0 { groups } else { nil }
    } span: {
      $0.range
    }
    var services: [Service] = []
    for group in groups {
      services.append(
        Service(
          uuid: try uuid(of: group.value), range: group.range, isPrimary: type == .primaryService))
    }
    return services
  }

  /// Returns services with their characteristics.
  ///
  /// Secondary services are discovered only for characteristics outside of all services, so that
  /// servers without any cost no request.
  func withCharacteristics(
    _ primary: [Service], in range: ATTHandleRange
  ) async throws(GATTError) -> [Service] {
    var found: [Characteristic] = []
    for item in try await valuesByType(.characteristic, in: range, .withinDiscovery) {
      do throws(MalformedBytes) {
        found.append(try Characteristic(declaration: item))
      } catch {
        throw .unexpectedResponse("\(error)")
      }
    }
    var database = Database(services: primary)
    if found.contains(where: { found in !primary.contains { $0.range.contains(found.handle) } }) {
      database.addSecondary(try await secondaryServices(in: range))
    }
    database.place(found)
    return database.services
  }

  private func secondaryServices(in range: ATTHandleRange) async throws(GATTError) -> [Service] {
    do throws(GATTError) {
      return try await services(.secondaryService, in: range)
    } catch .att(let error)
      where error.code == .unsupportedGroupType || error.code == .requestNotSupported
    {
      return []
    }
  }

  func uuid(of value: Bytes) throws(GATTError) -> BluetoothUUID {
    do throws(MalformedBytes) {
      return try BluetoothUUID(littleEndian: value)
    } catch {
      throw .unexpectedResponse("\(error)")
    }
  }
}
