public import FirmwareCrypto
public import HeadphoneProtocols

/// The headphone's side of a firmware update, including its flash (docs/protocol.md section 7).
///
/// One of the two slots contains the running image, the other receives a new one. Good blocks
/// survive a loss of power. The new image runs on trial until it is confirmed; after any failure
/// before that, the old image runs again.
///
/// ```swift
/// var receiver = FirmwareReceiver(setup, running: installed)
/// let response = receiver.perform(.begin(header), batteries: batteries, at: .zero)
/// let events = receiver.receive(frame, at: .milliseconds(5))
/// ```
public struct FirmwareReceiver: Sendable {
  /// The properties of the headphone.
  public struct Setup: Hashable, Sendable {
    /// The kind of hardware; an image for another kind is rejected with status 11.
    public var hardware: UInt32
    /// The maker's keys.
    public var keys: [VerifyingKey]
    /// The capacity of the receive buffer, in frames.
    public var window: UInt8 = 64
    /// The maximum length of a frame in bytes, including its offset.
    public var longestFrame: UInt16 = 514
    /// The number of frames after which an acknowledgement is due.
    public var acknowledgesAfter = 4
    /// The time after which an acknowledgement is due.
    public var acknowledgesWithin: Duration = .milliseconds(20)
    /// The size of each slot in bytes.
    public var slotSize: UInt32 = 32 << 20
    /// The time that an image may run on trial.
    public var trialTime: Duration = .seconds(60)

    public init(hardware: UInt32, keys: [VerifyingKey]) {
      self.hardware = hardware
      self.keys = keys
    }
  }

  /// A slot whose image runs, or has run.
  public struct Firmware: Hashable, Sendable {
    public var version: FirmwareVersion
    /// The security counter; an image without a higher one is rejected, whatever its version.
    public var securityCounter: UInt32
    /// The bytes of the image; empty for the initial one.
    public var image: [UInt8]

    public init(version: FirmwareVersion, securityCounter: UInt32, image: [UInt8] = []) {
      self.version = version
      self.securityCounter = securityCounter
      self.image = image
    }
  }

  /// The faults that the receiver simulates; none by default.
  public struct Faults: Hashable, Sendable {
    /// The indices of the blocks that are corrupted once.
    public var wrongBlocks: Set<Int> = []
    /// The indices of the blocks that are corrupted each time.
    public var badBlocks: Set<Int> = []
    /// Whether the new image fails to start, so that the old image runs again.
    public var newImageFails = false
    /// Whether the firmware revision stays that of the initial image.
    public var keepsRevision = false
    /// The indices of the frames that are lost, counting all received frames from 0.
    public var lostFrames: Set<Int> = []

    public init() {}
  }

  /// The slot that receives an image; its good blocks survive a loss of power.
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

  /// The state in memory, which a loss of power erases; command 0x50 creates it again.
  struct Reception: Hashable, Sendable {
    var early: [Int: [UInt8]] = [:]
    var frameLength = 1
    var unacknowledged = 0
    var acknowledgementDue: Duration?
  }

  public let setup: Setup
  public var faults = Faults()

  // Stored in flash:
  /// The image that runs, on trial or permanently.
  public internal(set) var running: Firmware
  /// The state of the update, as reported by command 0x57.
  public internal(set) var state = FirmwareStatus.State.idle
  var pending: Pending?
  var before: Firmware?
  var startsPending = false

  // Stored in memory:
  var reception: Reception?
  var trialDeadline: Duration?
  var framesSeen = 0

  public init(_ setup: Setup, running: Firmware) {
    self.setup = setup
    self.running = running
  }

  public var status: FirmwareStatus {
    FirmwareStatus(
      state: state, offset: UInt32(offset), running: running.version,
      pending: pending?.manifest.version)
  }

  package var hasWholeImage: Bool {
    pending.map { $0.stored.count == Int($0.manifest.imageSize) } ?? false
  }

  /// Restarts the headphone: on command, after a fault, or after a loss of power.
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

  private mutating func rollBack() {
    running = before.take() ?? running
    state = .rolledBack
  }

  /// Handles the end of the link: frames in memory are lost, stored data remain.
  public mutating func disconnect() { reception = nil }

  /// The time of the next call of `elapse(to:)`, or nil if nothing is due.
  public var nextDeadline: Duration? {
    [reception?.acknowledgementDue, trialDeadline].compactMap { $0 }.min()
  }

  /// Returns the events that are due; `mustRestart` if the trial has ended, for the old image.
  package mutating func elapse(to now: Duration) -> (events: [WireEvent], mustRestart: Bool) {
    if let trialDeadline, trialDeadline <= now { return ([], true) }
    guard let due = reception?.acknowledgementDue, due <= now else { return ([], false) }
    return (acknowledge(), false)
  }
}

/// The maker of the virtual headphones, whose private key is public, for anyone to sign images.
public enum VirtualVendor {
  /// The 32 bytes of the private key.
  public static let seed = [UInt8]("earshot virtual maker, no secret".utf8)

  /// The key that signs images for the virtual headphones; never nil, as the seed has 32 bytes.
  public static let key = SigningKey(seed: seed[...])

  /// The keys that the virtual headphones trust.
  public static let keys = [key?.verifyingKey].compactMap { $0 }
}
