public import Bluetooth
public import BluetoothCodec
internal import GATT
public import HeadphoneProtocols

/// The faults that a virtual headphone simulates; none by default.
///
/// ```swift
/// await headphone.injectFaults { $0.commands = .after(ignored: 2) }
/// ```
///
/// Counters restart at zero with each change of the faults.
public struct VirtualFaults: Hashable, Sendable {
  /// How requests or commands are answered.
  public enum ResponseFault: Hashable, Sendable {
    case properly
    case never
    case twice
    /// After this delay, by the headphone's clock.
    case late(Duration)
    /// Properly, after this many have been ignored.
    case after(ignored: Int)
  }

  public var requests = ResponseFault.properly
  public var commands = ResponseFault.properly
  /// The error statuses for commands, whatever their payload.
  public var refusedCommands: [CommandID: HeadphoneStatus] = [:]
  /// The errors for writes to these characteristics.
  public var refusedWrites: [BluetoothUUID: ATTErrorCode] = [:]
  /// The request that is answered by the link's end, as if out of range; counted from 1.
  public var lastRequest: Int?
  /// The PDU, of either side, after which the link ends once; counted from 1.
  public var lastPDU: Int?
  /// The disconnect reason after ``lastPDU``.
  public var ending = BearerClosed.Reason.supervisionTimeout
  /// Whether pairing fails.
  public var refusesPairing = false
  /// Whether pairing of the audio side fails.
  public var refusesAudioPairing = false
  /// Whether the headphone does not report what its own commands and writes change.
  public var omitsEchoes = false
  /// Whether changes are notified only by the single characteristics, not by the event channel.
  public var omitsEvents = false

  public init() {}
}
