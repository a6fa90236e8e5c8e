public import BluetoothCodec
public import HeadphoneProtocols

/// The faults that a virtual headphone simulates; none by default.
///
/// ```swift
/// await headphone.injectFaults { $0.commands = .after(ignored: 2) }
/// ```
///
/// Counts restart at zero with each change of the faults.
public struct VirtualFaults: Hashable, Sendable {
  /// The way in which requests or commands are answered.
  public enum ResponseFault: Hashable, Sendable {
    case properly
    case never
    case twice
    /// The answer is sent after this delay, measured by the headphone's clock.
    case late(Duration)
    /// The given number of requests or commands is ignored, and the others are answered properly.
    case after(ignored: Int)
  }

  public var requests = ResponseFault.properly
  public var commands = ResponseFault.properly
  /// The error statuses with which commands are rejected, whatever their payload.
  public var refusedCommands: [CommandID: HeadphoneStatus] = [:]
  /// The errors with which writes to these characteristics are rejected.
  public var refusedWrites: [BluetoothUUID: ATTErrorCode] = [:]
  /// The request at which the link ends instead of a response, counted from 1, or nil.
  public var lastRequest: Int?
  /// The PDU, in either direction, after which the link ends once, counted from 1, or nil.
  public var lastPDU: Int?
  public var ending = BearerClosed.Reason.supervisionTimeout
  /// Whether pairing fails.
  public var refusesPairing = false
  /// Whether pairing of the BR/EDR side fails.
  public var refusesAudioPairing = false
  /// Whether changes by the phone's own commands and writes are not reported.
  public var omitsEchoes = false
  /// Whether changes are notified only by their own characteristics, and not as events.
  public var omitsEvents = false

  public init() {}
}
