public import BluetoothCodec

extension GATTClient {
  /// Reads several values in as few requests as the server and the MTU allow.
  ///
  /// If the server supports Read Multiple Variable (Core 5.4, Vol 3, Part F, 3.4.4.11), one request
  /// usually suffices. Otherwise Read By Type reads values of the same type, and the others are
  /// read one by one.
  ///
  /// - Returns: For each handle its value, or the reason why it could not be read.
  /// - Throws: only the errors that make every read fail: `closed`, `cancelled`.
  public func readValues(
    _ handles: [UInt16]
  ) async throws(GATTError) -> [UInt16: Result<Bytes, GATTError>] {
    var results: [UInt16: Result<Bytes, GATTError>] = [:]
    var rest = handles
    while rest.count > 1, !unsupported.readMultipleVariable {
      guard try await readTogether(&rest, &results) else { break }
    }
    try await readByTypes(&rest, &results)
    for handle in rest { results[handle] = try await outcome(of: handle) }
    return results
  }

  /// Sends one Read Multiple Variable request, and returns whether more can be read in this way.
  ///
  /// Handles that get a result are removed from `rest`.
  private func readTogether(
    _ rest: inout [UInt16], _ results: inout [UInt16: Result<Bytes, GATTError>]
  ) async throws(GATTError) -> Bool {
    let asked = Array(rest.prefix((mtu - 1) / 2))
    do throws(GATTError) {
      let response = try await request(.readMultipleVariable(handles: asked))
      let whole = try wholeValues(in: response, of: asked)
      for (handle, value) in whole { results[handle] = .success(value) }
      // Read a truncated value again, alone if it does not fit with others.
      if whole.isEmpty, let first = rest.first {
        results[first] = try await outcome(of: first)
      }
    } catch .att(let error) where error.code != .requestNotSupported && asked.contains(error.handle)
    {
      results[error.handle] = .failure(.att(error))
    } catch .att, .unexpectedResponse {
      unsupported.readMultipleVariable = true
    } catch .security {
      // The error does not tell which value is protected, and the others may be readable.
      return false
    }
    rest.removeAll { results[$0] != nil }
    return true
  }

  /// Returns the values of a response to Read Multiple Variable, without a truncated last one.
  ///
  /// - Throws: `unexpectedResponse` for another response, or for more values than `asked`.
  func wholeValues(
    in response: ATTResponse, of asked: [UInt16]
  ) throws(GATTError) -> [UInt16: Bytes] {
    guard case .readMultipleVariable(let values, let isComplete) = response,
      values.count <= asked.count
    else {
      throw .unexpectedResponse("other values than those requested by Read Multiple Variable")
    }
    let whole = zip(asked, isComplete ? values[...] : values.dropLast())
    return Dictionary(whole.map { ($0, $1.prefix(longestValue)) }) { first, _ in first }
  }

  /// Records that the server lacks Read Multiple Variable; throws what makes every request fail.
  func noteRefusal(_ error: GATTError) throws(GATTError) {
    switch error {
    case .closed, .cancelled: throw error
    case .unexpectedResponse: unsupported.readMultipleVariable = true
    case .att(let error) where error.code == .requestNotSupported:
      unsupported.readMultipleVariable = true
    default: break
    }
  }

  private func readByTypes(
    _ rest: inout [UInt16], _ results: inout [UInt16: Result<Bytes, GATTError>]
  ) async throws(GATTError) {
    let types = Dictionary(grouping: rest) { database.type(of: $0) }
    for (type, handles) in types where handles.count > 1 {
      guard let type, let start = handles.min(), let end = handles.max() else { continue }
      do throws(GATTError) {
        for item in try await read(type, in: ATTHandleRange(start: start, end: end)) {
          if handles.contains(item.handle) { results[item.handle] = .success(item.value) }
        }
      } catch .att, .security, .unexpectedResponse {
        // A value that cannot be read ends the list, so the values are read one by one.
      }
    }
    rest.removeAll { results[$0] != nil }
  }

  private func outcome(of handle: UInt16) async throws(GATTError) -> Result<Bytes, GATTError> {
    do {
      return .success(try await read(handle))
    } catch .closed(let closed) {
      throw .closed(closed)
    } catch .cancelled {
      throw .cancelled
    } catch {
      return .failure(error)
    }
  }
}
