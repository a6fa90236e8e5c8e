public import BluetoothCodec
internal import BluetoothRadio

extension GATTClient {
  /// The greatest number of bytes in a write without response, or in a single write request.
  public var longestShortWrite: Int { mtu - 3 }

  /// Writes a value of at most 512 bytes, in parts if the MTU requires it, and awaits the response.
  ///
  /// - Throws: `att`, `security`, `servicesChanged`, `closed`, `cancelled`; `valueTooLong` and
  ///   `writeNotVerified` as ``writeReliably(_:)`` does.
  public func write(_ value: Bytes, to handle: UInt16) async throws(GATTError) {
    guard value.count <= longestShortWrite else { return try await writeLong(value, to: handle) }
    _ = try await request(.write(handle: handle, value: value))
  }

  /// Writes a value without a response, and returns when the local buffer has accepted it.
  ///
  /// The server may drop it, as there is no flow control. Once the bearer has the PDU, cancelling
  /// the task only stops the wait.
  ///
  /// - Throws: `valueTooLong` above ``longestShortWrite``; `closed`; `cancelled` and
  ///   `servicesChanged` if nothing was sent.
  public func writeWithoutResponse(
    _ value: Bytes, to handle: UInt16
  ) async throws(GATTError) {
    guard value.count <= longestShortWrite else {
      throw .valueTooLong(count: value.count, limit: longestShortWrite)
    }
    if Task.isCancelled { throw .cancelled }
    if let closed { throw .closed(closed) }
    try await settle([handle])
    listen()
    let pdu = Bytes(ATTClientPDU.command(.write(handle: handle, value: value)).encoded())
    do throws(BearerClosed) {
      try await bearer.transport.send(pdu)
    } catch {
      throw .closed(error)
    }
  }

  /// Writes a value of a characteristic, with or without a response.
  ///
  /// - Throws: `servicesChanged`, without sending anything, if the handle is no longer that of the
  ///   characteristic, or else the errors of ``write(_:to:)`` and ``writeWithoutResponse(_:to:)``.
  public func write(
    _ value: Bytes, to characteristic: Characteristic, withResponse: Bool = true
  ) async throws(GATTError) {
    // Nothing suspends between this check and the request. A later change withdraws or repeats it.
    guard !known.isDiscovered || known.database.contains(characteristic) else {
      throw .servicesChanged
    }
    if withResponse {
      try await write(value, to: characteristic.handle)
    } else {
      try await writeWithoutResponse(value, to: characteristic.handle)
    }
  }

  /// Writes a value of at most 512 bytes in prepared parts (Core 5.4, Vol 3, Part G, 4.9.4).
  public func writeLong(_ value: Bytes, to handle: UInt16) async throws(GATTError) {
    try await writeReliably([ATTHandleValue(handle: handle, value: value)])
  }

  /// Writes several values of at most 512 bytes each, all or none (Core 5.4, Vol 3, Part G, 4.9.5).
  ///
  /// The echo of each part is compared before the commit. After a failure, the prepared parts are
  /// cancelled (Execute Write 0x00). A server has one queue, so these procedures run in sequence.
  ///
  /// - Throws: `writeNotVerified` for an echo that differs, `valueTooLong` above 512 bytes,
  ///   `servicesChanged` if the services changed between the parts, or else the errors of
  ///   ``write(_:to:)``.
  public func writeReliably(_ values: [ATTHandleValue]) async throws(GATTError) {
    for item in values where item.value.count > longestValue {
      throw .valueTooLong(count: item.value.count, limit: longestValue)
    }
    try await longWrites.lock()
    defer { longWrites.unlock() }
    let changes = serviceChangeCount
    do throws(GATTError) {
      for item in values { try await prepare(item) }
      guard serviceChangeCount == changes else { throw .servicesChanged }
      _ = try await request(.executeWrite(.commit))
    } catch {
      await cancelPrepared()
      throw error
    }
  }

  private func prepare(_ item: ATTHandleValue) async throws(GATTError) {
    var rest = item.value
    repeat {
      let part = rest.prefix(mtu - 5)
      let offset = UInt16(item.value.count - rest.count)
      let prepared = try await request(
        .prepareWrite(handle: item.handle, offset: offset, value: part))
      guard prepared == .prepareWrite(handle: item.handle, offset: offset, value: part) else {
        throw .writeNotVerified
      }
      rest = rest.dropFirst(part.count)
    } while !rest.isEmpty
  }

  private func cancelPrepared() async {
    guard closed == nil else { return }
    await Task { _ = await response(to: .executeWrite(.cancel)) }.value
  }
}
