internal import BluetoothCodec

extension GATTClient {
  /// Asks for what lies in a range, page by page, to its end.
  ///
  /// Ends on Attribute Not Found, at the range's end and at 0xFFFF. Each page must go forward, so
  /// that no server can make it loop.
  ///
  /// - Parameters:
  ///   - request: what to ask for the rest of the range.
  ///   - items: what a response holds; nil: it is not the response to this request.
  ///   - span: the first and last handle of an item.
  func paginate<Item>(
    _ range: ATTHandleRange, _ recovery: RetryPolicy = .full,
    request makeRequest: (ATTHandleRange) -> ATTRequest,
    items: (ATTResponse) -> [Item]?,
    span: (Item) -> ATTHandleRange
  ) async throws(GATTError) -> [Item] {
    var found: [Item] = []
    var rest = range
    while true {
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
          throw .unexpectedAnswer("handle \(span.start) out of order in a \(response.opcode)")
        }
        found.append(item)
        guard span.end < rest.end, span.end < .max else { return found }
        next = span.end + 1
      }
      rest.start = next
    }
  }

  /// One entry for each attribute of a type; values may be cut.
  func valuesByType(
    _ type: BluetoothUUID, in range: ATTHandleRange, _ recovery: RetryPolicy = .full
  ) async throws(GATTError) -> [ATTHandleValue] {
    try await paginate(range, recovery) {
      .readByType($0, type: type)
    } items: {
      if case .readByType(let items) = $0 { items } else { nil }
    } span: {
      ATTHandleRange(start: $0.handle, end: $0.handle)
    }
  }
}
