/// A PDU of an ATT client: request, command or confirmation (Core 5.4, Vol 3, Part F, 3.4).
///
/// As ``ATTServerPDU`` is another type, neither side can decode what only the other may send.
///
/// ```swift
/// let pdu = ATTClientPDU.request(.read(handle: 0x002A)).encoded()  // 0A 2A 00
/// let same = try ATTClientPDU(decoding: pdu[...])
/// ```
public enum ATTClientPDU: Hashable, Sendable {
  case request(ATTRequest)
  case command(ATTCommand)
  /// ATT_HANDLE_VALUE_CFM (3.4.7.3), which acknowledges an indication.
  case confirmation
}

/// A request, answered by exactly one response or error; sections are of Core 5.4, Vol 3, Part F.
public enum ATTRequest: Hashable, Sendable {
  /// ATT_EXCHANGE_MTU_REQ, with the longest PDU that the client accepts, in bytes (3.4.2.1).
  case exchangeMTU(clientMTU: UInt16)
  /// ATT_FIND_INFORMATION_REQ: the handles and types of all attributes in the range (3.4.3.1).
  case findInformation(ATTHandleRange)
  /// ATT_FIND_BY_TYPE_VALUE_REQ: attributes with a 16-bit type and exactly this value (3.4.3.3).
  case findByTypeValue(ATTHandleRange, type: UInt16, value: Bytes)
  /// ATT_READ_BY_TYPE_REQ: the values of attributes of one type (3.4.4.1).
  case readByType(ATTHandleRange, type: BluetoothUUID)
  /// ATT_READ_REQ: the first ATT_MTU - 1 bytes of a value (3.4.4.3).
  case read(handle: UInt16)
  /// ATT_READ_BLOB_REQ: the part of a value from a byte offset (3.4.4.5).
  case readBlob(handle: UInt16, offset: UInt16)
  /// ATT_READ_MULTIPLE_REQ: two or more values; all but the last have a known length (3.4.4.7).
  case readMultiple(handles: [UInt16])
  /// ATT_READ_BY_GROUP_TYPE_REQ: groups of attributes, such as services (3.4.4.9).
  case readByGroupType(ATTHandleRange, type: BluetoothUUID)
  /// ATT_WRITE_REQ: a value of at most ATT_MTU - 3 bytes (3.4.5.1).
  case write(handle: UInt16, value: Bytes)
  /// ATT_PREPARE_WRITE_REQ: queues a part of a value at a byte offset (3.4.6.1).
  case prepareWrite(handle: UInt16, offset: UInt16, value: Bytes)
  /// ATT_EXECUTE_WRITE_REQ: writes or cancels all queued parts (3.4.6.3).
  case executeWrite(ATTExecuteFlag)
  /// ATT_READ_MULTIPLE_VARIABLE_REQ: two or more values of any length (3.4.4.11).
  case readMultipleVariable(handles: [UInt16])
}

/// A command, to which there is no response.
public enum ATTCommand: Hashable, Sendable {
  /// ATT_WRITE_CMD: a value of at most ATT_MTU - 3 bytes, which the server may drop (3.4.5.3).
  case write(handle: UInt16, value: Bytes)
  /// ATT_SIGNED_WRITE_CMD: a value with a 12-byte authentication signature (3.4.5.4).
  case signedWrite(handle: UInt16, value: Bytes, signature: Bytes)
}

/// The treatment of the queued parts by Execute Write.
public enum ATTExecuteFlag: UInt8, Hashable, Sendable {
  case cancel = 0x00
  case commit = 0x01
}
