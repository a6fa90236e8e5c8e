/// What an ATT client says: requests, commands and confirmations (Core 5.4, Vol 3, Part F, 3.4).
///
/// Client and server PDUs are two types, so that a client cannot be handed what only a server may
/// say.
public enum ATTClientPDU: Hashable, Sendable {
  case request(ATTRequest)
  case command(ATTCommand)
  /// ATT_HANDLE_VALUE_CFM, the answer to an indication.
  case confirmation
}

/// A request; the server answers each with exactly one response.
public enum ATTRequest: Hashable, Sendable {
  /// `clientMTU`: the largest PDU in bytes that the client takes.
  case exchangeMTU(clientMTU: UInt16)
  case findInformation(ATTHandleRange)
  case findByTypeValue(ATTHandleRange, type: UInt16, value: Bytes)
  case readByType(ATTHandleRange, type: BluetoothUUID)
  case read(handle: UInt16)
  case readBlob(handle: UInt16, offset: UInt16)
  case readMultiple(handles: [UInt16])
  case readByGroupType(ATTHandleRange, type: BluetoothUUID)
  case write(handle: UInt16, value: Bytes)
  case prepareWrite(handle: UInt16, offset: UInt16, value: Bytes)
  case executeWrite(ATTExecuteFlag)
  case readMultipleVariable(handles: [UInt16])
}

/// A command; no answer exists.
public enum ATTCommand: Hashable, Sendable {
  case write(handle: UInt16, value: Bytes)
  /// `signature`: 12 bytes.
  case signedWrite(handle: UInt16, value: Bytes, signature: Bytes)
}

/// What Execute Write does with the prepared parts.
public enum ATTExecuteFlag: UInt8, Hashable, Sendable {
  case cancel = 0x00
  case commit = 0x01
}
