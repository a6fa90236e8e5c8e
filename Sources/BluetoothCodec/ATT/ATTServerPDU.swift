/// A PDU of an ATT server: response, notification or indication (Core 5.4, Vol 3, Part F, 3.4).
///
/// ```swift
/// if case .notification(let item) = try ATTServerPDU(decoding: bytes) {
///   print(item.handle, item.value.count, "bytes")
/// }
/// ```
public enum ATTServerPDU: Hashable, Sendable {
  case response(ATTResponse)
  /// ATT_HANDLE_VALUE_NTF: at most ATT_MTU - 3 bytes of a value, not confirmed (3.4.7.1).
  case notification(ATTHandleValue)
  /// ATT_MULTIPLE_HANDLE_VALUE_NTF: several values in order, not confirmed (3.4.7.4).
  case multipleNotifications([ATTHandleValue])
  /// ATT_HANDLE_VALUE_IND: a value that the client must confirm (3.4.7.2).
  case indication(ATTHandleValue)
}

/// The response to one request; section numbers are those of Core 5.4, Vol 3, Part F.
public enum ATTResponse: Hashable, Sendable {
  case error(ATTErrorResponse)
  /// ATT_EXCHANGE_MTU_RSP, with the longest PDU that the server accepts, in bytes (3.4.2.2).
  case exchangeMTU(serverMTU: UInt16)
  /// ATT_FIND_INFORMATION_RSP: items in handle order, all with UUIDs of one size (3.4.3.2).
  case findInformation([ATTInformation])
  /// ATT_FIND_BY_TYPE_VALUE_RSP: each attribute's handle and the end of its group (3.4.3.4).
  case findByTypeValue([ATTHandleRange])
  /// ATT_READ_BY_TYPE_RSP: items in handle order, with values truncated to one length (3.4.4.2).
  case readByType([ATTHandleValue])
  /// ATT_READ_RSP: at most ATT_MTU - 1 bytes; a value of that length may continue (3.4.4.4).
  case read(value: Bytes)
  /// ATT_READ_BLOB_RSP: at most ATT_MTU - 1 bytes; empty at the end of the value (3.4.4.6).
  case readBlob(value: Bytes)
  /// ATT_READ_MULTIPLE_RSP: the concatenated values, truncated to ATT_MTU - 1 bytes (3.4.4.8).
  case readMultiple(values: Bytes)
  /// ATT_READ_BY_GROUP_TYPE_RSP: items in handle order, with values of one length (3.4.4.10).
  case readByGroupType([ATTGroup])
  case write
  /// ATT_PREPARE_WRITE_RSP, an echo of the request (3.4.6.2).
  case prepareWrite(handle: UInt16, offset: UInt16, value: Bytes)
  case executeWrite
  /// ATT_READ_MULTIPLE_VARIABLE_RSP, incomplete if the MTU truncated the last value (3.4.4.12).
  case readMultipleVariable(values: [Bytes], isComplete: Bool)
}

/// ATT_ERROR_RSP, the response to a request that failed (Core 5.4, Vol 3, Part F, 3.4.1.1).
public struct ATTErrorResponse: Error, Hashable, Sendable {
  public var opcode: ATTOpcode
  /// The handle at which the request failed, or 0 if there is none.
  public var handle: UInt16
  public var code: ATTErrorCode

  public init(opcode: ATTOpcode, handle: UInt16, code: ATTErrorCode) {
    self.opcode = opcode
    self.handle = handle
    self.code = code
  }
}

/// An attribute's handle and value.
public struct ATTHandleValue: Hashable, Sendable {
  /// The handle, at least 1: 0 means no attribute (Core 5.4, Vol 3, Part F, 3.2.2).
  public var handle: UInt16
  /// The value, possibly truncated to what fits into the PDU.
  public var value: Bytes

  public init(handle: UInt16, value: Bytes) {
    self.handle = handle
    self.value = value
  }
}

/// An attribute's handle and type.
public struct ATTInformation: Hashable, Sendable {
  /// The handle, at least 1.
  public var handle: UInt16
  public var type: BluetoothUUID

  public init(handle: UInt16, type: BluetoothUUID) {
    self.handle = handle
    self.type = type
  }
}

/// A group of attributes, such as a service, with the value of its declaration.
public struct ATTGroup: Hashable, Sendable {
  /// The handles from the declaration to the last attribute of the group.
  public var range: ATTHandleRange
  /// The value of the declaration: a service's UUID, little-endian.
  public var value: Bytes

  public init(range: ATTHandleRange, value: Bytes) {
    self.range = range
    self.value = value
  }
}

/// A closed range of attribute handles, kept as received: a hostile peer may send `end < start`.
public struct ATTHandleRange: Hashable, Sendable {
  /// The first handle, at least 1 in a valid request.
  public var start: UInt16
  /// The last handle, or 0xFFFF for the end of the database.
  public var end: UInt16

  public static let all = ATTHandleRange(start: 0x0001, end: 0xFFFF)

  public init(start: UInt16, end: UInt16) {
    self.start = start
    self.end = end
  }

  /// Returns whether `handle` is in the range, which is empty if `end` is below `start`.
  public func contains(_ handle: UInt16) -> Bool { start <= handle && handle <= end }
}
