/// An event as it stands on FFF4 (docs/protocol.md section 4).
public enum WireEvent: Hashable, Sendable {
  /// 0x01: whether each bud is in an ear.
  case wearing(left: Bool, right: Bool)
  /// 0x02: the charge of all parts.
  case battery(BatteryReport)
  case anc(ANCMode)
  /// %, 0 to 100.
  case firmwareProgress(UInt8)
  /// `bands` is nil where the event does not carry them.
  case eq(EQPreset, bands: [BandGain]?)
  /// 0x06.
  case caseLid(isOpen: Bool)
  /// 0x07: a gesture on this bud.
  case touch(Side, TouchGesture)
  /// 0x08: what has arrived of an image.
  case firmwareAcknowledged(FirmwareAcknowledgement)
  /// 0x7F: what has gone wrong, by the codes of section 5.
  case error(HeadphoneStatus)

  /// The first byte of each event.
  enum Code: UInt8 {
    case wearing = 0x01
    case battery = 0x02
    case anc = 0x03
    case firmwareProgress = 0x04
    case eq = 0x05
    case caseLid = 0x06
    case touch = 0x07
    case firmwareAcknowledged = 0x08
    case error = 0x7F
  }
}

/// Levels of all parts, as event 0x02 and the advertisement carry them.
public struct BatteryReport: Hashable, Sendable {
  /// %, 0 to 100; nil: unknown.
  public var left: UInt8?
  /// %, 0 to 100; nil: unknown.
  public var right: UInt8?
  /// %, 0 to 100; nil: unknown.
  public var `case`: UInt8?
  /// The parts that charge; nil where the headphone does not tell.
  public var charging: Set<Part>?

  public init(left: UInt8?, right: UInt8?, case: UInt8?, charging: Set<Part>? = nil) {
    self.left = left
    self.right = right
    self.case = `case`
    self.charging = charging
  }

  /// One value for each part.
  public var batteries: [Part: Battery] {
    [.left: battery(.left, left), .right: battery(.right, right), .case: battery(.case, `case`)]
  }

  private func battery(_ part: Part, _ level: UInt8?) -> Battery {
    Battery(level: level, isCharging: charging?.contains(part))
  }
}

/// Event 0x08: what has arrived of the firmware (docs/protocol.md section 7).
public struct FirmwareAcknowledgement: Hashable, Sendable {
  /// Bytes from the image's start without a gap.
  public var contiguousOffset: UInt32
  /// Frames that the headphone's buffer still takes.
  public var window: UInt8
  /// Bit i: frame i after the first missing one has arrived.
  public var arrived: UInt32

  public init(contiguousOffset: UInt32, window: UInt8, arrived: UInt32) {
    self.contiguousOffset = contiguousOffset
    self.window = window
    self.arrived = arrived
  }
}
