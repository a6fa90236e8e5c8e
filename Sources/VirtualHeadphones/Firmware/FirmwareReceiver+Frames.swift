package import BluetoothCodec
package import HeadphoneProtocols

extension FirmwareReceiver {
  var offset: Int { pending?.stored.count ?? 0 }

  /// Receives a value of FFF5; an invalid frame is ignored, as the write has no response.
  package mutating func receive(_ value: Bytes, at now: Duration) -> [WireEvent] {
    guard let frame = try? FirmwareFrame(decoding: value) else { return [] }
    return receive(frame, at: now)
  }

  /// Receives a frame, and returns event 0x08 if an acknowledgement is due.
  ///
  /// | frame | effect |
  /// | --- | --- |
  /// | the next one | stored; acknowledged after several frames or some time |
  /// | after a gap | kept if there is room; acknowledged at once, with the bitmap |
  /// | fills a gap | stored with the kept frames after it; acknowledged at once |
  /// | already received | acknowledged at once, so that the sender continues |
  /// | beyond the image, or lost by a fault | dropped |
  mutating func receive(_ frame: FirmwareFrame, at now: Duration) -> [WireEvent] {
    // A copy of `pending` here would make every append copy the image.
    guard let size = pending.map({ Int($0.manifest.imageSize) }), reception != nil else {
      return []
    }
    framesSeen += 1
    guard !faults.lostFrames.contains(framesSeen - 1) else { return [] }
    let start = Int(frame.offset)
    guard start + frame.bytes.count <= size else { return [] }
    if start + frame.bytes.count < size { reception?.frameLength = frame.bytes.count }
    guard start <= offset else {
      if let count = reception?.early.count, count < Int(setup.window) {
        reception?.early[start] = Array(frame.bytes)
      }
      return acknowledge()
    }
    let known = offset - start
    let isNew = frame.bytes.count > known
    pending?.stored += frame.bytes.dropFirst(known)
    let isFilled = storeEarlyFrames()
    reception?.unacknowledged += 1
    let isDue = (reception?.unacknowledged ?? 0) >= setup.acknowledgesAfter
    if isDue || isFilled || !isNew || offset == size { return acknowledge() }
    if reception?.acknowledgementDue == nil {
      reception?.acknowledgementDue = now + setup.acknowledgesWithin
    }
    return []
  }

  /// Stores the kept frames that now follow without a gap, and returns whether any were kept.
  private mutating func storeEarlyFrames() -> Bool {
    guard reception?.early.isEmpty == false else { return false }
    while let next = reception?.early.keys.filter({ $0 <= offset }).min(),
      let bytes = reception?.early.removeValue(forKey: next)
    {
      let known = offset - next
      pending?.stored += bytes.dropFirst(known)
    }
    return true
  }

  /// Returns event 0x08 with the offset, the remaining room, and a bitmap of the kept frames.
  mutating func acknowledge() -> [WireEvent] {
    guard let reception else { return [] }
    self.reception?.unacknowledged = 0
    self.reception?.acknowledgementDue = nil
    var arrived: UInt32 = 0
    for start in reception.early.keys {
      let place = (start - offset) / reception.frameLength
      if (1...32).contains(place) { arrived |= 1 << UInt32(place - 1) }
    }
    return [
      .firmwareAcknowledged(
        FirmwareAcknowledgement(
          contiguousOffset: UInt32(offset),
          window: UInt8(clamping: Int(setup.window) - reception.early.count), arrived: arrived))
    ]
  }
}
