public import BluetoothCodec

/// The longest attribute value in bytes (Core 5.4, Vol 3, Part F, 3.2.9).
let longestValue = 512

extension GATTClient {
  /// Reads a whole value of at most 512 bytes, in as many requests as the MTU requires.
  ///
  /// - Throws: `att`, `unexpectedResponse`, `security`, `servicesChanged`, `closed`, `cancelled`.
  public func read(_ handle: UInt16) async throws(GATTError) -> Bytes {
    let response = try await request(.read(handle: handle))
    guard case .read(let value) = response else { throw unexpected(response, to: .readRequest) }
    return try await completed(value, of: handle, fullAt: mtu - 1)
  }

  /// Reads a value from a byte offset to its end, with Read Blob (Core 5.4, Vol 3, Part G, 4.8.3).
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
      value += part.prefix(longestValue - Int(next))
      if part.count < mtu - 1 { return value }
    }
    return value
  }

  /// Returns a whole value, reading the rest if the first part has the length of a full PDU.
  func completed(
    _ value: Bytes, of handle: UInt16, fullAt limit: Int
  ) async throws(GATTError) -> Bytes {
    guard value.count >= limit, value.count < longestValue else {
      return value.prefix(longestValue)
    }
    return value + (try await readLong(handle, from: value.count))
  }

  /// Reads all values of a type, whole and in handle order (Core 5.4, Vol 3, Part G, 4.8.2).
  ///
  /// - Throws: The same errors as ``read(_:)``, and `listTooLong`.
  public func read(
    _ type: BluetoothUUID, in range: ATTHandleRange = .all
  ) async throws(GATTError) -> [ATTHandleValue] {
    var found = try await valuesByType(type, in: range)
    // The length byte and the MTU limit a value (Core 5.4, Vol 3, Part F, 3.4.4.2).
    for index in found.indices {
      let limit = min(mtu - 4, 253)
      found[index].value = try await completed(
        found[index].value, of: found[index].handle, fullAt: limit)
    }
    return found
  }

  /// Reads values of fixed lengths at once, joined up to the MTU (Core 5.4, Vol 3, Part G, 4.8.4).
  public func readMultiple(_ handles: [UInt16]) async throws(GATTError) -> Bytes {
    let response = try await request(.readMultiple(handles: handles))
    guard case .readMultiple(let values) = response else {
      throw unexpected(response, to: .readMultipleRequest)
    }
    return values
  }
}

extension ATTErrorCode {
  fileprivate var endsLongRead: Bool { self == .attributeNotLong || self == .invalidOffset }
}
