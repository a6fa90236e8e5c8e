package import BluetoothCodec
package import Headphones

extension FirmwareReceiver {
  /// Bytes stored without a gap.
  var offset: Int { pending?.stored.count ?? 0 }

  /// Takes a value of FFF5; what is no frame is ignored, as a write without response must be.
  package mutating func receive(_ value: Bytes, at now: Duration) -> [WireEvent] {
    guard let frame = try? FirmwareFrame(decoding: value) else { return [] }
    return receive(frame, at: now)
  }

  /// Takes a frame; acknowledges at once if one is missing, later if all goes well.
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
    let isFilled = takeEarlyFrames()
    reception?.unacknowledged += 1
    let isDue = (reception?.unacknowledged ?? 0) >= setup.acknowledgesAfter
    if isDue || isFilled || !isNew || offset == size { return acknowledge() }
    if reception?.acknowledgementDue == nil {
      reception?.acknowledgementDue = now + setup.acknowledgesWithin
    }
    return []
  }

  /// Stores the early frames that now follow without a gap; whether there were any.
  private mutating func takeEarlyFrames() -> Bool {
    guard reception?.early.isEmpty == false else { return false }
    while let next = reception?.early.keys.filter({ $0 <= offset }).min(),
      let bytes = reception?.early.removeValue(forKey: next)
    {
      let known = offset - next
      pending?.stored += bytes.dropFirst(known)
    }
    return true
  }

  /// Event 0x08 for what is here now.
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
