internal import BluetoothCodec
internal import FirmwareCrypto
package import HeadphoneProtocols

extension FirmwareReceiver {
  /// Carries out a command of an update.
  ///
  /// | command | required state | effect |
  /// | --- | --- | --- |
  /// | begin | any but trial | checks signature, hardware, counter, size, battery; returns offset |
  /// | data | after begin | receives a frame; the response contains the offset |
  /// | block done | in order | compares the CRC-32C of the block; a wrong block is sent again |
  /// | verify | received | checks signature, counter and SHA-256 of the whole image |
  /// | activate | verified | restarts with the new image, on trial |
  /// | confirm | trial | keeps the new image |
  /// | abort | any but trial | drops the received data |
  package mutating func perform(
    _ request: FirmwareRequest, batteries: [Part: Battery], at now: Duration
  ) -> CommandResponse {
    switch request {
    case .begin(let header): return begin(header, batteries)
    case .data(let frame):
      guard reception != nil else { return .refused(.wrongState) }
      let events = receive(frame, at: now).filter { !$0.isAcknowledgement }
      reception?.acknowledgementDue = nil
      return CommandResponse(data: offset.littleEndianBytes, events: events)
    case .blockDone(let index, let checksum): return check(Int(index), checksum)
    case .verify: return verify()
    case .activate:
      guard state == .verified, pending != nil else { return .refused(.wrongState) }
      startsPending = true
      return CommandResponse(ending: .restart)
    case .confirm:
      guard state == .trial else { return .refused(.wrongState) }
      state = .idle
      before = nil
      trialDeadline = nil
      return CommandResponse()
    case .abort:
      guard state != .trial, !startsPending else { return .refused(.wrongState) }
      forget()
      return CommandResponse()
    case .status: return CommandResponse(data: status.encoded())
    }
  }

  private mutating func forget() {
    pending = nil
    reception = nil
    state = .idle
  }

  /// Starts an image; one with the same manifest continues after its last good block.
  private mutating func begin(
    _ header: Bytes, _ batteries: [Part: Battery]
  ) -> CommandResponse {
    guard state != .trial, !startsPending else { return .refused(.wrongState) }
    guard let manifest = try? FirmwareManifest(decoding: header.prefix(FirmwareManifest.length))
    else { return .refused(.badPayload) }
    if let refusal = refusal(of: manifest, header, batteries) { return .refused(refusal) }
    reception = Reception()
    if pending?.manifest == manifest {
      // Blocks that were not checked are requested again.
      if let good = pending?.goodBytes { pending?.stored.removeSubrange(good...) }
    } else {
      pending = Pending(manifest: manifest, header: Array(header))
      state = .receiving
    }
    return CommandResponse(
      data: FirmwareStart(
        offset: UInt32(offset), window: setup.window, longestFrame: setup.longestFrame
      ).encoded())
  }

  private func refusal(
    of manifest: FirmwareManifest, _ header: Bytes, _ batteries: [Part: Battery]
  ) -> HeadphoneStatus? {
    guard isSigned(header) else { return .signatureInvalid }
    guard manifest.hardware == setup.hardware else { return .wrongHardware }
    // An older version may be forced by the user, but not one with a lower security counter.
    guard manifest.securityCounter > running.securityCounter else { return .downgradeRefused }
    guard manifest.imageSize <= setup.slotSize else { return .storageFailure }
    let isTooLow = [Part.left, .right].contains { part in
      guard let battery = batteries[part], battery.isCharging != true else { return false }
      return (battery.level ?? 0) < manifest.minimumBattery
    }
    return isTooLow ? .batteryTooLow : nil
  }

  private func isSigned(_ header: Bytes) -> Bool {
    let manifest = header.prefix(FirmwareManifest.length)
    let signature = header.dropFirst(FirmwareManifest.length)
    return setup.keys.contains { $0.accepts(signature: signature, of: manifest) }
  }

  /// Checks a block; a wrong block is dropped with all data after it.
  private mutating func check(_ index: Int, _ checksum: UInt32) -> CommandResponse {
    guard reception != nil, let manifest = pending?.manifest, let good = pending?.goodBlocks else {
      return .refused(.wrongState)
    }
    // The block has already been checked and found good.
    guard index >= good else { return CommandResponse() }
    guard index == good, index < manifest.blockCount,
      offset >= manifest.range(ofBlock: index).upperBound
    else { return .refused(.wrongState) }
    let range = manifest.range(ofBlock: index)
    if faults.wrongBlocks.remove(index) != nil || faults.badBlocks.contains(index) {
      pending?.stored[range.lowerBound] ^= 0x10
    }
    guard pending.map({ CRC32C.checksum(of: $0.stored[range]) }) == checksum else {
      pending?.stored.removeSubrange(range.lowerBound...)
      reception = Reception()
      return .refused(.blockChecksumWrong)
    }
    pending?.goodBlocks += 1
    if pending?.isWhole == true { state = .received }
    let percent = range.upperBound * 100 / Int(manifest.imageSize)
    return CommandResponse(events: [.firmwareProgress(UInt8(percent))])
  }

  private mutating func verify() -> CommandResponse {
    guard state == .received || state == .verified, let pending, pending.isWhole else {
      return .refused(.wrongState)
    }
    guard isSigned(pending.header[...]) else { return .refused(.signatureInvalid) }
    guard pending.manifest.securityCounter > running.securityCounter else {
      return .refused(.downgradeRefused)
    }
    guard SHA256Digest.of(pending.stored[...]) == pending.manifest.digest else {
      return .refused(.digestWrong)
    }
    state = .verified
    return CommandResponse()
  }
}

extension WireEvent {
  /// Whether the event is 0x08, which a response replaces.
  var isAcknowledgement: Bool {
    if case .firmwareAcknowledged = self { true } else { false }
  }
}

extension Int {
  fileprivate var littleEndianBytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: UInt32(clamping: self))
    return bytes
  }
}
