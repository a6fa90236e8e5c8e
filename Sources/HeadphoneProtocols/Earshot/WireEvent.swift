/// An event of FFF4: a code and its payload (docs/protocol.md section 4).
///
/// | code | event | payload (octets) |
/// | --- | --- | --- |
/// | 01 | wearing | left (1), right (1): 1 in the ear, 0 not |
/// | 02 | battery | left (1), right (1), case (1) in %, or FF; optional charging bits (1) |
/// | 03 | anc | mode (1) |
/// | 04 | firmwareProgress | % (1) |
/// | 05 | eq | preset (1), then optionally count (1), gains in steps of 0.5 dB |
/// | 06 | caseLid | 1 open, 0 closed |
/// | 07 | touch | side (1): 0 left, 1 right; gesture (1) |
/// | 08 | firmwareAcknowledged | offset (4), window (1), bitmap (4) |
/// | 7F | error | code (1) of ``HeadphoneStatus`` |
public enum WireEvent: Hashable, Sendable {
  case wearing(left: Bool, right: Bool)
  case battery(BatteryReport)
  case anc(ANCMode)
  /// 0 to 100 %.
  case firmwareProgress(UInt8)
  /// The preset, and gains if the event contains them.
  case eq(EQPreset, bands: [BandGain]?)
  case caseLid(isOpen: Bool)
  case touch(Side, TouchGesture)
  case firmwareAcknowledged(FirmwareAcknowledgement)
  case error(HeadphoneStatus)
}

/// The levels in event 0x02 and in advertisements.
public struct BatteryReport: Hashable, Sendable {
  /// In %, 0 to 100, or nil if unknown.
  public var left: UInt8?
  /// In %, 0 to 100, or nil if unknown.
  public var right: UInt8?
  /// In %, 0 to 100, or nil if unknown.
  public var `case`: UInt8?
  /// The parts that are charging, or nil if not reported.
  public var charging: Set<Part>?

  public init(left: UInt8?, right: UInt8?, case: UInt8?, charging: Set<Part>? = nil) {
    self.left = left
    self.right = right
    self.case = `case`
    self.charging = charging
  }

  /// The battery of each part.
  public var batteries: [Part: Battery] {
    [.left: battery(.left, left), .right: battery(.right, right), .case: battery(.case, `case`)]
  }

  private func battery(_ part: Part, _ level: UInt8?) -> Battery {
    Battery(level: level, isCharging: charging?.contains(part))
  }
}

/// Event 0x08: the received part of a firmware image (docs/protocol.md section 7).
public struct FirmwareAcknowledgement: Hashable, Sendable {
  /// The number of bytes received without a gap from the start of the image.
  public var contiguousOffset: UInt32
  /// The number of frames for which the headphone has room.
  public var window: UInt8
  /// A selective-repeat bitmap: bit *i* is the frame *i* + 1 places after the first missing one.
  public var arrived: UInt32

  public init(contiguousOffset: UInt32, window: UInt8, arrived: UInt32) {
    self.contiguousOffset = contiguousOffset
    self.window = window
    self.arrived = arrived
  }
}
