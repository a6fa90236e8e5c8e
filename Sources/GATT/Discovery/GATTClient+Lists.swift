internal import BluetoothCodec

// Lists of a server's attributes, page by page. None of them changes the client's database.

extension GATTClient {
  /// The number of requests after which a discovery is given up, because the server reports one
  /// attribute per page.
  ///
  /// The longest discovery of a real headphone, 128-bit types at an MTU of 23 bytes, takes below
  /// 100.
  package static let longestList = 512

  /// Requests a range page by page.
  ///
  /// Ends with Attribute Not Found, at the range's end or at 0xFFFF. Each page must advance, so
  /// that no server can keep it in a loop.
  ///
  /// - Parameters:
  ///   - range: the handles to discover.
  ///   - recovery: which failures are retried.
  ///   - makeRequest: the request for the rest of the range.
  ///   - items: the contents of a response; `nil` if it is not the response to this request.
  ///   - span: the first and last handle of an item.
  /// - Throws: `listTooLong` after ``longestList`` requests, `unexpectedResponse` for pages that do
  ///   not advance, and what ends a request.
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

  /// The attributes of a type with their values, which are truncated to the length of the first
  /// one.
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

  /// The ranges of the primary services whose declaration has exactly this value.
  func rangesOfServices(withValue value: Bytes) async throws(GATTError) -> [ATTHandleRange] {
    try await paginate(.all, .full) {
      .findByTypeValue($0, type: 0x2800, value: value)
    } items: {
      if case .findByTypeValue(let ranges) = $0 { ranges } else { nil }
    } span: {
      $0
    }
  }

  /// The types and handles of all attributes in a range.
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

  /// The services declared in a range, without their characteristics.
  ///
  /// - Parameter type: `.primaryService` or `.secondaryService`.
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

  /// Services with their characteristics.
  ///
  /// Characteristics outside of all services belong to secondary ones, which are then discovered: a
  /// server without any costs no request for them.
  ///
  /// - Parameters:
  ///   - primary: the primary services in a range.
  ///   - range: the handles to search.
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

  /// The secondary services in a range; none if the server does not support the request.
  private func secondaryServices(in range: ATTHandleRange) async throws(GATTError) -> [Service] {
    do throws(GATTError) {
      return try await services(.secondaryService, in: range)
    } catch .att(let error)
      where error.code == .unsupportedGroupType || error.code == .requestNotSupported
    {
      return []
    }
  }

  /// The type in a service declaration's value, of 2 or 16 bytes.
  func uuid(of value: Bytes) throws(GATTError) -> BluetoothUUID {
    do throws(MalformedBytes) {
      return try BluetoothUUID(littleEndian: value)
    } catch {
      throw .unexpectedResponse("\(error)")
    }
  }
}
