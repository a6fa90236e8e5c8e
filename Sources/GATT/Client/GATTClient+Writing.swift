internal import Bluetooth
public import BluetoothCodec

extension GATTClient {
  /// The number of bytes that fit into one write without response, or into one write request.
  public var longestShortWrite: Int { mtu - 3 }

  /// Writes a value, in prepared parts if the MTU requires it, and returns when the server has
  /// accepted it.
  ///
  /// ```swift
  /// try await client.write([0x01], to: mode.handle)
  /// ```
  ///
  /// - Parameters:
  ///   - value: at most 512 bytes.
  ///   - handle: the value's handle.
  /// - Throws: `att`, `security`, `servicesChanged`, `closed`, `cancelled`; `valueTooLong` and
  ///   `writeNotVerified` as ``writeReliably(_:)``.
  public func write(_ value: Bytes, to handle: UInt16) async throws(GATTError) {
    guard value.count <= longestShortWrite else { return try await writeLong(value, to: handle) }
    _ = try await request(.write(handle: handle, value: value))
  }

  /// Writes a value without a response; returns when the local buffer has accepted it.
  ///
  /// Once the bearer has the PDU it counts as written: a task that is cancelled from then on only
  /// stops waiting. There is no flow control by the server, which may drop it.
  ///
  /// - Parameters:
  ///   - value: at most ``longestShortWrite`` bytes.
  ///   - handle: the value's handle.
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
  /// The services may have changed since the characteristic was found, and its handle may be
  /// anything by now: then nothing is sent.
  ///
  /// - Throws: `servicesChanged` if the characteristic is not where it was, else as
  ///   ``write(_:to:)`` and ``writeWithoutResponse(_:to:)``.
  public func write(
    _ value: Bytes, to characteristic: Characteristic, withResponse: Bool = true
  ) async throws(GATTError) {
    // Nothing suspends between this and the request: a later change withdraws or repeats that.
    guard !known.isDiscovered || known.database.contains(characteristic) else {
      throw .servicesChanged
    }
    if withResponse {
      try await write(value, to: characteristic.handle)
    } else {
      try await writeWithoutResponse(value, to: characteristic.handle)
    }
  }

  /// Writes a value in prepared parts, whatever its length (Core 5.4, Vol 3, Part G, 4.9.4).
  ///
  /// - Parameters:
  ///   - value: at most 512 bytes.
  ///   - handle: the value's handle.
  /// - Throws: as ``writeReliably(_:)``.
  public func writeLong(_ value: Bytes, to handle: UInt16) async throws(GATTError) {
    try await writeReliably([ATTHandleValue(handle: handle, value: value)])
  }

  /// Writes several values, all or none: the echo of each part is compared before the commit (Core
  /// 5.4, Vol 3, Part G, 4.9.5).
  ///
  /// A failure cancels what was prepared (Execute Write 0x00). Procedures of this kind run one
  /// after another, since a server has one queue.
  ///
  /// - Parameter values: each at most 512 bytes.
  /// - Throws: the first error: `writeNotVerified` for an echo that differs, `valueTooLong` above
  ///   512 bytes, `servicesChanged` if the services changed between the parts, else as
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

  /// Queues a value at the server, part by part.
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

  /// Clears the server's queue, in a task of its own, since the caller's may be cancelled.
  private func cancelPrepared() async {
    guard closed == nil else { return }
    await Task { _ = await response(to: .executeWrite(.cancel)) }.value
  }
}
