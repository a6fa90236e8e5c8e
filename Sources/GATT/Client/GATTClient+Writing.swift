internal import Bluetooth
public import BluetoothCodec

extension GATTClient {
  /// Bytes that fit into one write without response, and into one write request.
  public var longestShortWrite: Int { engine.mtu - 3 }

  /// Writes a value and returns when the server has accepted it; by parts where the MTU demands.
  public func write(_ value: Bytes, to handle: UInt16) async throws(GATTError) {
    guard value.count <= longestShortWrite else { return try await writeLong(value, to: handle) }
    _ = try await request(.write(handle: handle, value: value))
  }

  /// Sends a value that the server does not answer; returns when the local buffer has taken it.
  ///
  /// - Throws: `valueTooLong` above ``longestShortWrite``, `closed`, `cancelled`.
  public func writeWithoutResponse(
    _ value: Bytes, to handle: UInt16
  ) async throws(GATTError) {
    guard value.count <= longestShortWrite else {
      throw .valueTooLong(count: value.count, limit: longestShortWrite)
    }
    if let closed = engine.closed { throw .closed(closed) }
    listen()
    let pdu = Bytes(ATTClientPDU.command(.write(handle: handle, value: value)).encoded())
    do throws(BearerClosed) {
      try await bearer.send(pdu)
    } catch {
      throw .closed(error)
    }
    if Task.isCancelled { throw .cancelled }
  }

  /// Writes a value by prepared parts, whatever its length.
  public func writeLong(_ value: Bytes, to handle: UInt16) async throws(GATTError) {
    try await writeReliably([ATTHandleValue(handle: handle, value: value)])
  }

  /// Writes several values, all or none: each part's echo is compared before the commit.
  ///
  /// A failure cancels what was prepared (Execute Write 0x00) and the first error is thrown.
  public func writeReliably(_ values: [ATTHandleValue]) async throws(GATTError) {
    for item in values where item.value.count > longestValue {
      throw .valueTooLong(count: item.value.count, limit: longestValue)
    }
    if !longWrites.enter() { await withCheckedContinuation { longWrites.wait($0) } }
    defer { longWrites.leave() }
    do throws(GATTError) {
      for item in values { try await prepare(item) }
      _ = try await request(.executeWrite(.commit))
    } catch {
      await cancelPrepared()
      throw error
    }
  }

  private func prepare(_ item: ATTHandleValue) async throws(GATTError) {
    var rest = item.value
    repeat {
      let part = rest.prefix(engine.mtu - 5)
      let offset = UInt16(item.value.count - rest.count)
      let prepared = try await request(
        .prepareWrite(handle: item.handle, offset: offset, value: part))
      guard prepared == .prepareWrite(handle: item.handle, offset: offset, value: part) else {
        throw .writeNotVerified
      }
      rest = rest.dropFirst(part.count)
    } while !rest.isEmpty
  }

  /// Outside of the caller's task, which may be the reason: it may be cancelled.
  private func cancelPrepared() async {
    guard engine.closed == nil else { return }
    await Task { _ = await answer(to: .executeWrite(.cancel)) }.value
  }
}
