internal import Bluetooth
internal import BluetoothCodec
internal import GATT

/// Commands and their responses: the ``CommandEngine`` over the command characteristic.
extension EarshotDriver {
  typealias Waiter = CheckedContinuation<Result<Bytes, HeadphoneError>, Never>

  /// Packets that wait for their turn on the command characteristic.
  struct Outgoing {
    var ticket: CommandEngine.Ticket
    var bytes: Bytes
    var attempt: Int
  }

  /// Carries out a command.
  ///
  /// - Returns: the response's data, without its status.
  @discardableResult
  func send(_ command: WireCommand) async throws(HeadphoneError) -> Bytes {
    try await send(command.id, command.payload)
  }

  /// Carries out a command by its number.
  func send(_ command: CommandID, _ payload: [UInt8]) async throws(HeadphoneError) -> Bytes {
    if Task.isCancelled { throw .cancelled }
    if let ended { throw ended }
    guard map != nil else { throw .notStarted }
    let now = timeline.now()
    let (ticket, effects) = engine.submit(command, payload: payload[...], at: now)
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        waiters[ticket] = waiter
        execute(effects)
      }
    } onCancel: {
      Task { await cancel(ticket) }
    }.get()
  }

  private func cancel(_ ticket: CommandEngine.Ticket) { execute(engine.cancel(ticket)) }

  func execute(_ effects: [CommandEngine.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let ticket, let packets, let attempt):
        let bytes = packets.flatMap { $0.encoded() }
        outbox.append(Outgoing(ticket: ticket, bytes: bytes[...], attempt: attempt))
        startSending()
      case .finished(let ticket, let result):
        waiters.removeValue(forKey: ticket)?.resume(returning: result)
      case .malformed(let error, let packet): report(error, packet.encoded()[...])
      // Late, duplicate or foreign: the answer it might have been is given or given up.
      case .ignored: break
      }
    }
    watchDeadline()
  }

  // MARK: Sending

  /// One at a time, so that the parts of two packets do not mix.
  private func startSending() {
    guard !isSending else { return }
    isSending = true
    Task {
      while !outbox.isEmpty { await write(outbox.removeFirst()) }
      isSending = false
    }
  }

  private func write(_ outgoing: Outgoing) async {
    guard let command = map?.command else { return }
    do throws(GATTError) {
      var rest = outgoing.bytes
      let longest = await client.longestShortWrite
      while !rest.isEmpty {
        try await write(rest.prefix(longest), to: command, outgoing.attempt)
        rest = rest.dropFirst(longest)
      }
    } catch {
      execute(engine.fail(outgoing.ticket, HeadphoneError(error), at: timeline.now()))
    }
  }

  /// Without response, which saves a round trip, where that is possible; repeated with response,
  /// which tells if the headphone refuses.
  private func write(
    _ bytes: Bytes, to command: Characteristic, _ attempt: Int
  ) async throws(GATTError) {
    let prefersResponse = attempt > 1 && command.canWrite
    if command.properties.contains(.writeWithoutResponse), !prefersResponse {
      try await client.writeWithoutResponse(bytes, to: command.handle)
    } else {
      try await client.write(bytes, to: command.handle)
    }
  }
}

extension EarshotDriver: TimeoutDriven {
  /// No answer is late while the headphone has not said that it tells any.
  var nextDeadline: Duration? { isSubscribing ? nil : engine.nextDeadline }

  func elapse(to now: Duration) {
    // Events that waited with a packet that never came to its end.
    emit(known: channel.finish())
    execute(engine.elapse(to: now))
  }
}
