/// A PDU of an ATT server: response, notification or indication (Core 5.4, Vol 3, Part F, 3.4).
///
/// ```swift
/// if case .notification(let value) = try ATTServerPDU(decoding: bytes) { receive(value) }
/// ```
public enum ATTServerPDU: Hashable, Sendable {
  case response(ATTResponse)
  /// ATT_HANDLE_VALUE_NTF: at most ATT_MTU - 3 bytes of a value; there is no confirmation
  /// (3.4.7.1).
  case notification(ATTHandleValue)
  /// ATT_MULTIPLE_HANDLE_VALUE_NTF: several values in one PDU, in order.
  case multipleNotifications([ATTHandleValue])
  /// ATT_HANDLE_VALUE_IND, which the client must confirm.
  case indication(ATTHandleValue)
}

/// A response to one request.
public enum ATTResponse: Hashable, Sendable {
  case error(ATTErrorResponse)
  /// `serverMTU`: the largest PDU in bytes that the server takes (3.4.2.2).
  case exchangeMTU(serverMTU: UInt16)
  /// In handle order, all with UUIDs of one width (3.4.3.2).
  case findInformation([ATTInformation])
  /// The handle of each attribute that was found, and where its group ends (3.4.3.4).
  case findByTypeValue([ATTHandleRange])
  /// In handle order, all values of one length; a longer one is cut (3.4.4.2).
  case readByType([ATTHandleValue])
  /// At most ATT_MTU - 1 bytes: a value of just that length may go on (3.4.4.4).
  case read(value: Bytes)
  /// At most ATT_MTU - 1 bytes; empty at the value's end (3.4.4.6).
  case readBlob(value: Bytes)
  /// The values without a boundary between them, cut to ATT_MTU - 1 bytes (3.4.4.8).
  case readMultiple(values: Bytes)
  /// In handle order, all declarations of one length (3.4.4.10).
  case readByGroupType([ATTGroup])
  case write
  /// ATT_PREPARE_WRITE_RSP, which echoes the request (3.4.6.2).
  case prepareWrite(handle: UInt16, offset: UInt16, value: Bytes)
  case executeWrite
  /// `isComplete` is false when the last value was cut by the MTU.
  case readMultipleVariable(values: [Bytes], isComplete: Bool)
}

/// ATT_ERROR_RSP (Core 5.4, Vol 3, Part F, 3.4.1.1).
public struct ATTErrorResponse: Error, Hashable, Sendable {
  /// The request that failed.
  public var opcode: ATTOpcode
  /// The attribute handle at which it failed, 0 if none.
  public var handle: UInt16
  public var code: ATTErrorCode

  public init(opcode: ATTOpcode, handle: UInt16, code: ATTErrorCode) {
    self.opcode = opcode
    self.handle = handle
    self.code = code
  }
}

/// An attribute's handle and its value.
public struct ATTHandleValue: Hashable, Sendable {
  /// 1 or more: 0 stands for no attribute (Core 5.4, Vol 3, Part F, 3.2.2).
  public var handle: UInt16
  /// Bytes of the attribute, perhaps cut to what the PDU can carry.
  public var value: Bytes

  public init(handle: UInt16, value: Bytes) {
    self.handle = handle
    self.value = value
  }
}

/// An attribute's handle and its type.
public struct ATTInformation: Hashable, Sendable {
  /// 1 or more: 0 stands for no attribute (Core 5.4, Vol 3, Part F, 3.2.2).
  public var handle: UInt16
  public var type: BluetoothUUID

  public init(handle: UInt16, type: BluetoothUUID) {
    self.handle = handle
    self.type = type
  }
}

/// A group of attributes (a service) and the value of its declaration.
public struct ATTGroup: Hashable, Sendable {
  /// From the declaration to the group's last attribute.
  public var range: ATTHandleRange
  /// Of a service its UUID, little-endian.
  public var value: Bytes

  public init(range: ATTHandleRange, value: Bytes) {
    self.range = range
    self.value = value
  }
}

/// Attribute handles from `start` to `end`, both included.
///
/// As it was on the wire: a hostile peer may send `end` below `start`.
public struct ATTHandleRange: Hashable, Sendable {
  /// The first handle; 1 or more in a valid request.
  public var start: UInt16
  /// The last handle; 0xFFFF: as far as there are attributes.
  public var end: UInt16

  /// Every handle that an attribute can have.
  public static let all = ATTHandleRange(start: 0x0001, end: 0xFFFF)

  public init(start: UInt16, end: UInt16) {
    self.start = start
    self.end = end
  }

  /// Always false where `end` is below `start`.
  public func contains(_ handle: UInt16) -> Bool { start <= handle && handle <= end }
}
