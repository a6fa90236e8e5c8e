/// A PDU of an ATT server: response, notification or indication (Core 5.4, Vol 3, Part F, 3.4).
///
/// ```swift
/// if case .notification(let item) = try ATTServerPDU(decoding: bytes) {
///   print(item.handle, item.value.count, "bytes")
/// }
/// ```
///
/// | opcode | PDU | parameters (octets) |
/// | --- | --- | --- |
/// | 1B | Handle Value Notification | handle (2), value |
/// | 1D | Handle Value Indication | handle (2), value |
/// | 23 | Multiple Handle Value Notification | handle (2), length (2), value; repeated |
public enum ATTServerPDU: Hashable, Sendable {
  /// The response to a request.
  case response(ATTResponse)
  /// ATT_HANDLE_VALUE_NTF: at most ATT_MTU - 3 bytes of a value, without confirmation (3.4.7.1).
  case notification(ATTHandleValue)
  /// ATT_MULTIPLE_HANDLE_VALUE_NTF: several values in order, without confirmation (3.4.7.4).
  case multipleNotifications([ATTHandleValue])
  /// ATT_HANDLE_VALUE_IND: a value that the client must confirm (3.4.7.2).
  case indication(ATTHandleValue)
}

/// The response to one request.
///
/// The parameters follow the opcode; all integers are little-endian:
///
/// | opcode | response | parameters (octets) |
/// | --- | --- | --- |
/// | 01 | Error | opcode (1), handle (2), code (1) |
/// | 03 | Exchange MTU | MTU (2) |
/// | 05 | Find Information | format (1), then handle (2), type (2 or 16); repeated |
/// | 07 | Find By Type Value | handle (2), group end (2); repeated |
/// | 09 | Read By Type | length (1), then handle (2), value; repeated |
/// | 0B, 0D | Read, Read Blob | value |
/// | 0F | Read Multiple | values |
/// | 11 | Read By Group Type | length (1), then start (2), end (2), value; repeated |
/// | 13, 19 | Write, Execute Write | none |
/// | 17 | Prepare Write | handle (2), offset (2), value |
/// | 21 | Read Multiple Variable | length (2), value; repeated |
///
/// Section numbers below are those of Core 5.4, Vol 3, Part F.
public enum ATTResponse: Hashable, Sendable {
  /// ATT_ERROR_RSP, in place of any other response (3.4.1.1).
  case error(ATTErrorResponse)
  /// ATT_EXCHANGE_MTU_RSP: `serverMTU` is the longest PDU that the server accepts, in bytes
  /// (3.4.2.2).
  case exchangeMTU(serverMTU: UInt16)
  /// ATT_FIND_INFORMATION_RSP: in handle order, all with UUIDs of one size (3.4.3.2).
  case findInformation([ATTInformation])
  /// ATT_FIND_BY_TYPE_VALUE_RSP: each attribute's handle with the end of its group (3.4.3.4).
  case findByTypeValue([ATTHandleRange])
  /// ATT_READ_BY_TYPE_RSP: in handle order, all values truncated to one length (3.4.4.2).
  case readByType([ATTHandleValue])
  /// ATT_READ_RSP: at most ATT_MTU - 1 bytes; a value of exactly that length may continue
  /// (3.4.4.4).
  case read(value: Bytes)
  /// ATT_READ_BLOB_RSP: at most ATT_MTU - 1 bytes; empty at the end of the value (3.4.4.6).
  case readBlob(value: Bytes)
  /// ATT_READ_MULTIPLE_RSP: the concatenated values, truncated to ATT_MTU - 1 bytes (3.4.4.8).
  case readMultiple(values: Bytes)
  /// ATT_READ_BY_GROUP_TYPE_RSP: in handle order, all declarations of one length (3.4.4.10).
  case readByGroupType([ATTGroup])
  /// ATT_WRITE_RSP: the value is written (3.4.5.2).
  case write
  /// ATT_PREPARE_WRITE_RSP, which echoes the request (3.4.6.2).
  case prepareWrite(handle: UInt16, offset: UInt16, value: Bytes)
  /// ATT_EXECUTE_WRITE_RSP: the queued parts are written or dropped (3.4.6.4).
  case executeWrite
  /// ATT_READ_MULTIPLE_VARIABLE_RSP; `isComplete` is false if the MTU truncated the last value
  /// (3.4.4.12).
  case readMultipleVariable(values: [Bytes], isComplete: Bool)
}

/// ATT_ERROR_RSP: a request that failed (Core 5.4, Vol 3, Part F, 3.4.1.1).
public struct ATTErrorResponse: Error, Hashable, Sendable {
  /// The opcode of the request that failed.
  public var opcode: ATTOpcode
  /// The handle at which it failed; 0 for none.
  public var handle: UInt16
  /// The reason.
  public var code: ATTErrorCode

  public init(opcode: ATTOpcode, handle: UInt16, code: ATTErrorCode) {
    self.opcode = opcode
    self.handle = handle
    self.code = code
  }
}

/// The handle of an attribute with its value.
public struct ATTHandleValue: Hashable, Sendable {
  /// The handle, 1 or more: 0 stands for no attribute (Core 5.4, Vol 3, Part F, 3.2.2).
  public var handle: UInt16
  /// The value, perhaps truncated to what fits into the PDU.
  public var value: Bytes

  public init(handle: UInt16, value: Bytes) {
    self.handle = handle
    self.value = value
  }
}

/// The handle of an attribute with its type.
public struct ATTInformation: Hashable, Sendable {
  /// The handle, 1 or more: 0 stands for no attribute (Core 5.4, Vol 3, Part F, 3.2.2).
  public var handle: UInt16
  /// The attribute type.
  public var type: BluetoothUUID

  public init(handle: UInt16, type: BluetoothUUID) {
    self.handle = handle
    self.type = type
  }
}

/// A group of attributes (a service) with the value of its declaration.
public struct ATTGroup: Hashable, Sendable {
  /// The handles from the declaration to the group's last attribute.
  public var range: ATTHandleRange
  /// The declaration's value; for a service its UUID, little-endian.
  public var value: Bytes

  public init(range: ATTHandleRange, value: Bytes) {
    self.range = range
    self.value = value
  }
}

/// A range of attribute handles from `start` to `end`, both included.
///
/// It is kept as it was on the wire: a hostile peer may send an `end` below `start`.
public struct ATTHandleRange: Hashable, Sendable {
  /// The first handle, 1 or more in a valid request.
  public var start: UInt16
  /// The last handle; 0xFFFF for the end of the database.
  public var end: UInt16

  /// All handles that an attribute can have.
  public static let all = ATTHandleRange(start: 0x0001, end: 0xFFFF)

  public init(start: UInt16, end: UInt16) {
    self.start = start
    self.end = end
  }

  /// Whether a handle is in the range; always false if `end` is below `start`.
  public func contains(_ handle: UInt16) -> Bool { start <= handle && handle <= end }
}
