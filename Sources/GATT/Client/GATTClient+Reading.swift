public import BluetoothCodec

/// Octets that an attribute value can have at most (Core 5.4, Vol 3, Part F, 3.2.9).
let longestValue = 512

extension GATTClient {
  /// Reads a value whole, by as many requests as it takes (one, where it fits into the MTU).
  public func read(_ handle: UInt16) async throws(GATTError) -> Bytes {
    let response = try await request(.read(handle: handle))
    guard case .read(let value) = response else { throw unexpected(response, to: .readRequest) }
    return try await completed(value, of: handle, fullAt: engine.mtu - 1)
  }

  /// Reads a value from `offset` to its end.
  public func readLong(
    _ handle: UInt16, from offset: Int = 0
  ) async throws(GATTError) -> Bytes {
    var value: Bytes = []
    while let next = UInt16(exactly: offset + value.count), next < longestValue {
      let part: Bytes
      do throws(GATTError) {
        let response = try await request(.readBlob(handle: handle, offset: next))
        guard case .readBlob(let bytes) = response else {
          throw unexpected(response, to: .readBlobRequest)
        }
        part = bytes
      } catch .att(let error) where next > 0 && error.code.endsLongRead {
        return value
      }
      value += part
      if part.count < engine.mtu - 1 { return value }
    }
    return value
  }

  /// What is missing of a value that filled its PDU.
  func completed(
    _ value: Bytes, of handle: UInt16, fullAt limit: Int
  ) async throws(GATTError) -> Bytes {
    guard value.count >= limit, value.count < longestValue else { return value }
    return value + (try await readLong(handle, from: value.count))
  }

  /// Reads all values of a type, whole, in handle order; empty if there is none.
  public func read(
    _ type: BluetoothUUID, in range: ATTHandleRange = .all
  ) async throws(GATTError) -> [ATTHandleValue] {
    var found = try await valuesByType(type, in: range)
    // The length byte and the MTU limit what one entry can hold (Core 5.4, Vol 3, Part F, 3.4.4.2).
    for index in found.indices {
      let limit = min(engine.mtu - 4, 253)
      found[index].value = try await completed(
        found[index].value, of: found[index].handle, fullAt: limit)
    }
    return found
  }

  /// Reads several values of known, fixed length in one request, one behind the other.
  public func readMultiple(_ handles: [UInt16]) async throws(GATTError) -> Bytes {
    let response = try await request(.readMultiple(handles: handles))
    guard case .readMultiple(let values) = response else {
      throw unexpected(response, to: .readMultipleRequest)
    }
    return values
  }
}

extension ATTErrorCode {
  /// What a server says at a value's end; Attribute Not Long, if the value just filled one PDU.
  fileprivate var endsLongRead: Bool { self == .attributeNotLong || self == .invalidOffset }
}
