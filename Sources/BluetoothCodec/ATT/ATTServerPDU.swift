/// What an ATT server says: responses, notifications and indications
/// (Core 5.4, Vol 3, Part F, 3.4).
public enum ATTServerPDU: Hashable, Sendable {
  case response(ATTResponse)
  case notification(ATTHandleValue)
  /// ATT_MULTIPLE_HANDLE_VALUE_NTF: several values in one PDU, in order.
  case multipleNotifications([ATTHandleValue])
  /// To be confirmed at once.
  case indication(ATTHandleValue)
}

/// The answer to one request.
public enum ATTResponse: Hashable, Sendable {
  case error(ATTErrorResponse)
  case exchangeMTU(serverMTU: UInt16)
  case findInformation([ATTInformation])
  case findByTypeValue([ATTHandleRange])
  case readByType([ATTHandleValue])
  case read(value: Bytes)
  case readBlob(value: Bytes)
  case readMultiple(values: Bytes)
  case readByGroupType([ATTGroup])
  case write
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
  public var handle: UInt16
  public var value: Bytes

  public init(handle: UInt16, value: Bytes) {
    self.handle = handle
    self.value = value
  }
}

/// An attribute's handle and its type.
public struct ATTInformation: Hashable, Sendable {
  public var handle: UInt16
  public var type: BluetoothUUID

  public init(handle: UInt16, type: BluetoothUUID) {
    self.handle = handle
    self.type = type
  }
}

/// A group of attributes (a service) and the value of its declaration.
public struct ATTGroup: Hashable, Sendable {
  public var range: ATTHandleRange
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
  public var start: UInt16
  public var end: UInt16

  public static let all = ATTHandleRange(start: 0x0001, end: 0xFFFF)

  public init(start: UInt16, end: UInt16) {
    self.start = start
    self.end = end
  }

  public func contains(_ handle: UInt16) -> Bool { start <= handle && handle <= end }
}
