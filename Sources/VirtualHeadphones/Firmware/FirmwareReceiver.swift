public import FirmwareCrypto
public import HeadphoneProtocols

/// The headphone's side of a firmware update as a value, with its flash (docs/protocol.md section
/// 7).
///
/// Two slots: one runs, the other takes the new image. What is checked block by block stays over a
/// loss of power; the new image runs on trial until it is confirmed, and whatever happens before
/// that lets the old one run again. Commands, frames and the time go in, answers and events come
/// out.
///
/// ```swift
/// var receiver = FirmwareReceiver(setup, running: installed)
/// let response = receiver.perform(.begin(header), batteries: batteries, at: .zero)
/// let events = receiver.receive(frame, at: .milliseconds(5))
/// ```
public struct FirmwareReceiver: Sendable {
  /// The properties of the headphone.
  public struct Setup: Hashable, Sendable {
    /// The kind of hardware; images for another are refused with status 11.
    public var hardware: UInt32
    /// The maker's keys.
    public var keys: [VerifyingKey]
    /// Frames that its buffer takes.
    public var window: UInt8 = 64
    /// Bytes of a frame, its offset included.
    public var longestFrame: UInt16 = 514
    /// Frames after which it acknowledges at the latest.
    public var acknowledgesAfter = 4
    /// How long it waits with an acknowledgement.
    public var acknowledgesWithin: Duration = .milliseconds(20)
    /// Bytes of each slot.
    public var slotSize: UInt32 = 32 << 20
    /// How long an image runs on trial.
    public var trialTime: Duration = .seconds(60)

    public init(hardware: UInt32, keys: [VerifyingKey]) {
      self.hardware = hardware
      self.keys = keys
    }
  }

  /// A slot whose image runs, or has run.
  public struct Firmware: Hashable, Sendable {
    /// Told as the running version.
    public var version: FirmwareVersion
    /// An image whose counter is not higher is refused, whatever its version.
    public var securityCounter: UInt32
    /// The bytes that run; empty for what was there at first.
    public var image: [UInt8]

    public init(version: FirmwareVersion, securityCounter: UInt32, image: [UInt8] = []) {
      self.version = version
      self.securityCounter = securityCounter
      self.image = image
    }
  }

  /// The faults that are shown on purpose; none at first.
  public struct Faults: Hashable, Sendable {
    /// Blocks that are stored wrong, once each.
    public var wrongBlocks: Set<Int> = []
    /// Blocks that are stored wrong each time.
    public var badBlocks: Set<Int> = []
    /// The new image does not start, so that the old one runs again.
    public var newImageFails = false
    /// Its firmware revision stays that of the image that ran first.
    public var keepsRevision = false
    /// Frames that its buffer loses, counted from 0 over all that come.
    public var lostFrames: Set<Int> = []

    public init() {}
  }

  /// The slot that takes an image; kept over a loss of power up to the last good block.
  struct Pending: Hashable, Sendable {
    var manifest: FirmwareManifest
    var header: [UInt8]
    var stored: [UInt8] = []
    var goodBlocks = 0

    var isWhole: Bool { goodBlocks == manifest.blockCount }
    var goodBytes: Int {
      goodBlocks == 0 ? 0 : manifest.range(ofBlock: goodBlocks - 1).upperBound
    }
  }

  /// State in memory, lost with the power and set up again by command 0x50.
  struct Reception: Hashable, Sendable {
    /// Frames that came before one that is missing, by their offsets.
    var early: [Int: [UInt8]] = [:]
    var frameLength = 1
    var unacknowledged = 0
    var acknowledgementDue: Duration?
  }

  /// The properties that never change.
  public let setup: Setup
  /// The faults from now on.
  public var faults = Faults()

  // Flash.
  /// The slot that runs, on trial or for good.
  public internal(set) var running: Firmware
  /// The place in an update, as command 0x57 answers it.
  public internal(set) var state = FirmwareStatus.State.idle
  var pending: Pending?
  /// The image that ran before the one on trial.
  var before: Firmware?
  /// The next start is into the pending image.
  var startsPending = false

  // Memory.
  var reception: Reception?
  var trialDeadline: Duration?
  var framesSeen = 0

  public init(_ setup: Setup, running: Firmware) {
    self.setup = setup
    self.running = running
  }

  /// The answer to command 0x57.
  public var status: FirmwareStatus {
    FirmwareStatus(
      state: state, offset: UInt32(offset), running: running.version,
      pending: pending?.manifest.version)
  }

  /// Every byte of an image has arrived.
  package var hasWholeImage: Bool {
    pending.map { $0.stored.count == Int($0.manifest.imageSize) } ?? false
  }

  // MARK: Power

  /// The headphone starts again: asked to, by itself, or as its battery was out.
  public mutating func restart(at now: Duration) {
    reception = nil
    trialDeadline = nil
    if startsPending, let new = pending {
      startsPending = false
      pending = nil
      guard !faults.newImageFails else {
        state = .rolledBack
        return
      }
      before = running
      running = Firmware(
        version: new.manifest.version, securityCounter: new.manifest.securityCounter,
        image: new.stored)
      state = .trial
      trialDeadline = now + setup.trialTime
    } else if state == .trial {
      rollBack()
    } else if let good = pending?.goodBytes {
      pending?.stored.removeSubrange(good...)
    }
  }

  /// Lets the image before the trial run again.
  private mutating func rollBack() {
    running = before.take() ?? running
    state = .rolledBack
  }

  /// The link has ended: frames in memory are gone, what is stored stays.
  public mutating func disconnect() { reception = nil }

  // MARK: Time

  /// When `elapse(to:)` has something to do.
  public var nextDeadline: Duration? {
    [reception?.acknowledgementDue, trialDeadline].compactMap { $0 }.min()
  }

  /// Lets the time pass; `mustRestart`: the trial has ended, and the old image starts.
  package mutating func elapse(to now: Duration) -> (events: [WireEvent], mustRestart: Bool) {
    if let trialDeadline, trialDeadline <= now { return ([], true) }
    guard let due = reception?.acknowledgementDue, due <= now else { return ([], false) }
    return (acknowledge(), false)
  }
}

/// The maker of the virtual headphones: its key is no secret, so that anyone can sign for them.
public enum VirtualVendor {
  /// The 32 bytes of its private key.
  public static let seed = [UInt8]("earshot virtual maker, no secret".utf8)

  /// Signs images for the virtual headphones; nil never: the seed has 32 bytes.
  public static let key = SigningKey(seed: seed[...])

  /// The key that the virtual headphones trust.
  public static let keys = [key?.verifyingKey].compactMap { $0 }
}
