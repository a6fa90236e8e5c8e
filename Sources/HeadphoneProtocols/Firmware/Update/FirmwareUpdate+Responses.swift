public import BluetoothCodec

extension FirmwareUpdate {
  /// Handles the response's data after its status, or the error of a command.
  ///
  /// A result of another phase or an ended link is ignored. A malformed response ends the update
  /// with ``FirmwareFailure/badResponse(_:)``, and a time-out reconnects.
  public mutating func receive(
    _ request: FirmwareRequest, _ result: Result<Bytes, HeadphoneError>, at now: Duration
  ) -> [Effect] {
    guard phase != .ended, link != nil else { return [] }
    if case .data = request { dataCommands = max(0, dataCommands - 1) }
    switch result {
    case .success(let data):
      do throws(MalformedBytes) {
        return try succeeded(request, data, at: now)
      } catch {
        return give(up: .badResponse(request.id))
      }
    case .failure(.refused(let status)): return refused(request, status, at: now)
    case .failure(.closed), .failure(.cancelled): return []
    case .failure: return [.reconnect]
    }
  }

  private mutating func succeeded(
    _ request: FirmwareRequest, _ data: Bytes, at now: Duration
  ) throws(MalformedBytes) -> [Effect] {
    switch (request, phase) {
    case (.status, .asking): return go(on: try FirmwareStatus(decoding: data), at: now)
    case (.begin, .beginning): return transfer(try FirmwareStart(decoding: data), at: now)
    case (.data, .transferring):
      var reader = ByteReader(data, of: "answer to firmware data")
      return acknowledged(
        FirmwareAcknowledgement(
          contiguousOffset: try reader.uint32(), window: UInt8.max, arrived: 0), at: now)
    case (.blockDone, .transferring):
      return follow(sender?.receiveBlockCheck(isGood: true, at: now), at: now)
    case (.verify, .verifying):
      phase = .activating
      // From now on the headphone may restart, even if its response is lost.
      hasActivated = true
      return [.submit(.activate)]
    case (.activate, .activating):
      phase = .restarting
      restartDeadline = now + Self.restartTime
      return []
    case (.confirm, .confirming): return end(.installed(target))
    default: return []
    }
  }

  /// Handles an error status: after a wrong checksum the block is sent again.
  ///
  /// A wrong digest or signature also aborts, as the bytes on the headphone are wrong.
  private mutating func refused(
    _ request: FirmwareRequest, _ status: HeadphoneStatus, at now: Duration
  ) -> [Effect] {
    switch (request, status) {
    case (.blockDone, .blockChecksumWrong):
      return follow(sender?.receiveBlockCheck(isGood: false, at: now), at: now)
    case (.verify, .digestWrong), (.verify, .signatureInvalid):
      return give(up: .refused(request.id, status), forgetting: true)
    case (.activate, _):
      hasActivated = false
      return give(up: .refused(request.id, status))
    default: return give(up: .refused(request.id, status))
    }
  }

  private mutating func go(on status: FirmwareStatus, at now: Duration) -> [Effect] {
    switch status.state {
    case .trial:
      guard status.running == target else { return end(.failed(.anotherOnTrial(status.running))) }
      return compare()
    case .rolledBack where hasActivated: return end(.failed(.rolledBack(running: status.running)))
    case .idle where hasActivated:
      // If the new image is running, the response to `confirm` was lost with the link.
      return end(
        status.running == target
          ? .installed(target) : .failed(.rolledBack(running: status.running)))
    case .idle, .receiving, .received, .verified, .rolledBack:
      // Verified but not restarted: `activate` was lost, and `begin` finds the image complete.
      hasActivated = false
      phase = .beginning
      return [.submit(.begin(header: image.header[...]))]
    }
  }

  /// Confirms the image on trial, unless the Firmware Revision String contradicts it.
  private mutating func compare() -> [Effect] {
    hasActivated = true
    if let revision = link?.revision, revision != target {
      return end(.failed(.revisionDiffers(expected: target, reported: revision)))
    }
    phase = .confirming
    return [.submit(.confirm)]
  }
}
