public import BluetoothCodec

/// The longest attribute value in octets (Core 5.4, Vol 3, Part F, 3.2.9).
let longestValue = 512

extension GATTClient {
  /// Reads a whole value, in one request if it fits into the MTU, else in as many as it needs.
  ///
  /// - Parameter handle: the value's handle, from ``database``.
  /// - Returns: at most 512 bytes; what a server sends beyond that is dropped.
  /// - Throws: `att`, `unexpectedResponse`, `security`, `servicesChanged`, `closed`, `cancelled`.
  public func read(_ handle: UInt16) async throws(GATTError) -> Bytes {
    let response = try await request(.read(handle: handle))
    guard case .read(let value) = response else { throw unexpected(response, to: .readRequest) }
    return try await completed(value, of: handle, fullAt: mtu - 1)
  }

  /// Reads a value from an offset to its end, by Read Blob (Core 5.4, Vol 3, Part G, 4.8.3).
  ///
  /// - Parameters:
  ///   - handle: the value's handle.
  ///   - offset: the first byte to read, from the value's start.
  /// - Returns: at most the rest of 512 bytes.
  /// - Throws: as ``read(_:)``.
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

  /// A value that was read in part, with the rest of it.
  ///
  /// - Parameters:
  ///   - value: the first part.
  ///   - handle: the value's handle.
  ///   - limit: the length at which the part filled its PDU, so that more may follow.
  func completed(
    _ value: Bytes, of handle: UInt16, fullAt limit: Int
  ) async throws(GATTError) -> Bytes {
    guard value.count >= limit, value.count < longestValue else {
      return value.prefix(longestValue)
    }
    return value + (try await readLong(handle, from: value.count))
  }

  /// Reads all values of a type, whole and in handle order (Read Using Characteristic UUID; Core
  /// 5.4, Vol 3, Part G, 4.8.2).
  ///
  /// - Parameters:
  ///   - type: the attribute type.
  ///   - range: the handles to search.
  /// - Returns: the values with their handles; empty if there are none.
  /// - Throws: as ``read(_:)``, and `listTooLong`.
  public func read(
    _ type: BluetoothUUID, in range: ATTHandleRange = .all
  ) async throws(GATTError) -> [ATTHandleValue] {
    var found = try await valuesByType(type, in: range)
    // The length byte and the MTU limit what one entry can hold (Core 5.4, Vol 3, Part F, 3.4.4.2).
    for index in found.indices {
      let limit = min(mtu - 4, 253)
      found[index].value = try await completed(
        found[index].value, of: found[index].handle, fullAt: limit)
    }
    return found
  }

  /// Reads several values of known, fixed lengths in one request (Core 5.4, Vol 3, Part G, 4.8.4).
  ///
  /// - Parameter handles: two or more.
  /// - Returns: the concatenated values, truncated to the MTU.
  /// - Throws: as ``read(_:)``.
  public func readMultiple(_ handles: [UInt16]) async throws(GATTError) -> Bytes {
    let response = try await request(.readMultiple(handles: handles))
    guard case .readMultiple(let values) = response else {
      throw unexpected(response, to: .readMultipleRequest)
    }
    return values
  }
}

extension ATTErrorCode {
  /// Whether it marks the end of a value: Attribute Not Long if the value exactly filled one PDU.
  fileprivate var endsLongRead: Bool { self == .attributeNotLong || self == .invalidOffset }
}
