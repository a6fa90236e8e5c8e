/// A PDU of an ATT client: request, command or confirmation (Core 5.4, Vol 3, Part F, 3.4).
///
/// Client and server PDUs are two types, so that neither side can decode what only the other one
/// may send.
///
/// ```swift
/// let pdu = ATTClientPDU.request(.read(handle: 0x002A)).encoded()  // 0A 2A 00
/// let same = try ATTClientPDU(decoding: pdu[...])
/// ```
public enum ATTClientPDU: Hashable, Sendable {
  /// A request, to which the server sends exactly one response.
  case request(ATTRequest)
  /// A command, to which there is no response.
  case command(ATTCommand)
  /// ATT_HANDLE_VALUE_CFM, which acknowledges an indication (3.4.7.3); the opcode only.
  case confirmation
}

/// A request, to which the server sends exactly one response or error.
///
/// The parameters follow the opcode; all integers are little-endian:
///
/// | opcode | request | parameters (octets) |
/// | --- | --- | --- |
/// | 02 | Exchange MTU | MTU (2) |
/// | 04 | Find Information | start (2), end (2) |
/// | 06 | Find By Type Value | start (2), end (2), type (2), value |
/// | 08 | Read By Type | start (2), end (2), type (2 or 16) |
/// | 0A | Read | handle (2) |
/// | 0C | Read Blob | handle (2), offset (2) |
/// | 0E | Read Multiple | handles (2 each) |
/// | 10 | Read By Group Type | start (2), end (2), type (2 or 16) |
/// | 12 | Write | handle (2), value |
/// | 16 | Prepare Write | handle (2), offset (2), value |
/// | 18 | Execute Write | flag (1) |
/// | 20 | Read Multiple Variable | handles (2 each) |
///
/// Section numbers below are those of Core 5.4, Vol 3, Part F.
public enum ATTRequest: Hashable, Sendable {
  /// ATT_EXCHANGE_MTU_REQ: `clientMTU` is the longest PDU that the client accepts, in bytes
  /// (3.4.2.1).
  case exchangeMTU(clientMTU: UInt16)
  /// ATT_FIND_INFORMATION_REQ: the handles and types of all attributes in a range (3.4.3.1).
  case findInformation(ATTHandleRange)
  /// ATT_FIND_BY_TYPE_VALUE_REQ: attributes with a 16-bit type and exactly this value (3.4.3.3).
  case findByTypeValue(ATTHandleRange, type: UInt16, value: Bytes)
  /// ATT_READ_BY_TYPE_REQ: the values of attributes of one type (3.4.4.1).
  case readByType(ATTHandleRange, type: BluetoothUUID)
  /// ATT_READ_REQ: the first ATT_MTU - 1 bytes of a value (3.4.4.3).
  case read(handle: UInt16)
  /// ATT_READ_BLOB_REQ: a value from `offset` in bytes (3.4.4.5).
  case readBlob(handle: UInt16, offset: UInt16)
  /// ATT_READ_MULTIPLE_REQ: two or more values, of which all but the last have a known length
  /// (3.4.4.7).
  case readMultiple(handles: [UInt16])
  /// ATT_READ_BY_GROUP_TYPE_REQ: groups of attributes, such as services (3.4.4.9).
  case readByGroupType(ATTHandleRange, type: BluetoothUUID)
  /// ATT_WRITE_REQ: a value of at most ATT_MTU - 3 bytes (3.4.5.1).
  case write(handle: UInt16, value: Bytes)
  /// ATT_PREPARE_WRITE_REQ: queues a part of a value, from `offset` in bytes (3.4.6.1).
  case prepareWrite(handle: UInt16, offset: UInt16, value: Bytes)
  /// ATT_EXECUTE_WRITE_REQ: writes or cancels all queued parts (3.4.6.3).
  case executeWrite(ATTExecuteFlag)
  /// ATT_READ_MULTIPLE_VARIABLE_REQ: two or more values of any lengths (3.4.4.11).
  case readMultipleVariable(handles: [UInt16])
}

/// A command, to which there is no response.
public enum ATTCommand: Hashable, Sendable {
  /// ATT_WRITE_CMD: a value of at most ATT_MTU - 3 bytes, which the server may drop (3.4.5.3).
  case write(handle: UInt16, value: Bytes)
  /// ATT_SIGNED_WRITE_CMD: a value with an authentication signature of 12 bytes (3.4.5.4).
  case signedWrite(handle: UInt16, value: Bytes, signature: Bytes)
}

/// The effect of Execute Write on the queued parts.
public enum ATTExecuteFlag: UInt8, Hashable, Sendable {
  /// Drops all parts.
  case cancel = 0x00
  /// Writes all parts in order.
  case commit = 0x01
}
