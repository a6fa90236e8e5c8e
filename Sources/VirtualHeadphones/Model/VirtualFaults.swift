public import Bluetooth
public import BluetoothCodec
internal import GATT
public import HeadphoneProtocols

/// The faults that a virtual headphone shows on purpose; none at first.
///
/// ```swift
/// await headphone.injectFaults { $0.commands = .after(ignored: 2) }
/// ```
///
/// Counters start at zero with each change of the faults.
public struct VirtualFaults: Hashable, Sendable {
  /// How something is answered.
  public enum ResponseFault: Hashable, Sendable {
    case properly
    case never
    case twice
    /// After so long, by the headphone's clock.
    case late(Duration)
    /// The first this many times not at all, then properly.
    case after(ignored: Int)
  }

  /// ATT requests.
  public var requests = ResponseFault.properly
  /// Commands written to FFF3.
  public var commands = ResponseFault.properly
  /// Statuses to answer commands with, whatever they say.
  public var refusedCommands: [CommandID: HeadphoneStatus] = [:]
  /// Errors to answer writes of these characteristics with.
  public var refusedWrites: [BluetoothUUID: ATTErrorCode] = [:]
  /// The link ends, as out of range, instead of the answer to this request; counted from 1.
  public var lastRequest: Int?
  /// The link ends after this PDU, whichever side sent it; counted from 1, once.
  public var lastPDU: Int?
  /// The disconnect reason after ``lastPDU``.
  public var ending = BearerClosed.Reason.supervisionTimeout
  /// Whether pairing fails.
  public var refusesPairing = false
  /// Whether that of its audio side fails.
  public var refusesAudioPairing = false
  /// Whether the headphone keeps to itself what its own commands and writes change.
  public var omitsEchoes = false
  /// Whether changes are notified by the single characteristics only, not by the event channel.
  public var omitsEvents = false

  public init() {}
}
