/// An event from the controller (Core 5.4, Vol 4, Part E, 5.4.4 and 7.7).
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | event code |
/// | 1 | 1 | length *n* |
/// | 2 | *n* | parameters |
///
/// ```swift
/// if case .disconnectionComplete(_, let connection, let reason) = try HCIEvent(decoding: bytes) {
///   print("link", connection, "ended:", reason)  // link 64 ended: Connection Timeout (0x08)
/// }
/// ```
///
/// Section numbers below are those of Core 5.4, Vol 4, Part E. Connection handles have 12 bits.
/// `credits` is the number of commands that the controller accepts now.
public enum HCIEvent: Hashable, Sendable {
  /// A BR/EDR link was established, or the attempt failed (7.7.3).
  case connectionComplete(HCIStatus, ClassicLink, isEncrypted: Bool)
  /// A synchronous link for a call's audio was established, or the attempt failed (7.7.35).
  case synchronousConnectionComplete(HCIStatus, ClassicLink, SynchronousTiming)
  /// A link ended (7.7.5).
  case disconnectionComplete(HCIStatus, connection: UInt16, reason: HCIStatus)
  /// The encryption of a link was switched on or off (7.7.8).
  case encryptionChange(HCIStatus, connection: UInt16, HCIEncryption)
  /// A command completed with these return parameters (7.7.14).
  case commandComplete(credits: UInt8, HCIOpcode, HCIReturn)
  /// A command failed, or started and another event will complete it (7.7.15).
  case commandStatus(HCIStatus, credits: UInt8, HCIOpcode)
  case le(LEEvent)
  /// Any other event.
  case other(code: UInt8, Bytes)
}

/// An LE Meta event: a subevent code and its parameters (Core 5.4, Vol 4, Part E, 7.7.65).
public enum LEEvent: Hashable, Sendable {
  /// LE Connection Complete (7.7.65.1); after a failure only the status has a meaning.
  case connectionComplete(LEConnection)
  /// LE Enhanced Connection Complete (7.7.65.10), which adds the private addresses of both ends.
  case enhancedConnectionComplete(LEConnection, LEConnectionPrivacy)
  /// LE Connection Update Complete (7.7.65.3): the new parameters, requested by either side.
  case connectionUpdateComplete(HCIStatus, connection: UInt16, LEConnectionTiming)
  /// LE Data Length Change (7.7.65.7): the new maximum packet lengths.
  case dataLengthChange(connection: UInt16, LEDataLength)
  /// LE PHY Update Complete (7.7.65.12): the PHYs on which this host transmits and receives.
  case phyUpdateComplete(HCIStatus, connection: UInt16, transmit: PHY, receive: PHY)
  /// LE Advertising Report (7.7.65.2), without reports of a reserved type.
  case advertisingReports([AdvertisingReport])
  /// LE Extended Advertising Report (7.7.65.13), which some controllers send for legacy scans, too.
  case extendedAdvertisingReports([AdvertisingReport])
  /// Any other subevent.
  case other(subevent: UInt8, Bytes)
}

/// The encryption of a link (Core 5.4, Vol 4, Part E, 7.7.8).
public enum HCIEncryption: UInt8, Hashable, Sendable {
  case off = 0x00
  /// AES-CCM on LE, E0 on BR/EDR.
  case on = 0x01
  /// AES-CCM on BR/EDR.
  case onWithAESCCM = 0x02
}

/// A new BR/EDR link (Core 5.4, Vol 4, Part E, 7.7.3 and 7.7.35).
public struct ClassicLink: Hashable, Sendable {
  /// The link type as numbered by HCI.
  public enum Kind: UInt8, Hashable, Sendable {
    /// Synchronous, without retransmission.
    case sco = 0x00
    /// Asynchronous, for L2CAP.
    case acl = 0x01
    /// Synchronous, with retransmission.
    case eSCO = 0x02
  }

  /// The 12-bit connection handle.
  public var connection: UInt16
  public var peer: BluetoothAddress
  public var kind: Kind

  public init(connection: UInt16, peer: BluetoothAddress, kind: Kind) {
    self.connection = connection
    self.peer = peer
    self.kind = kind
  }
}

/// The parameters of a synchronous link (Core 5.4, Vol 4, Part E, 7.7.35).
public struct SynchronousTiming: Hashable, Sendable {
  /// The time between two synchronous packets, in slots of 0.625 ms.
  public var interval: UInt8
  /// The size of the retransmission window, in slots of 0.625 ms.
  public var retransmissionWindow: UInt8
  /// The length of received packets in bytes.
  public var receiveLength: UInt16
  /// The length of sent packets in bytes.
  public var transmitLength: UInt16
  /// The coding of the audio: 0 µ-law, 1 A-law, 2 CVSD, 3 transparent.
  public var airMode: UInt8

  public init(
    interval: UInt8, retransmissionWindow: UInt8, receiveLength: UInt16, transmitLength: UInt16,
    airMode: UInt8
  ) {
    self.interval = interval
    self.retransmissionWindow = retransmissionWindow
    self.receiveLength = receiveLength
    self.transmitLength = transmitLength
    self.airMode = airMode
  }
}

/// A new LE link (Core 5.4, Vol 4, Part E, 7.7.65.1).
///
/// The enhanced event has two private addresses between ``peer`` and ``timing``.
public struct LEConnection: Hashable, Sendable {
  /// The status; unless it is success, there is no link and no other value has a meaning.
  public var status: HCIStatus
  /// The 12-bit connection handle.
  public var connection: UInt16
  public var isPeripheral: Bool
  /// The type of ``peer``, which also tells whether the controller resolved the address.
  public var peerType: PeerAddressType
  /// The identity address if the controller resolved a private one, or else the address on the air.
  public var peer: BluetoothAddress
  public var timing: LEConnectionTiming
  /// The accuracy of the central's clock as HCI encodes it: 0 is 500 ppm, 7 is 20 ppm.
  public var centralClockAccuracy: UInt8

  public init(
    status: HCIStatus, connection: UInt16, isPeripheral: Bool, peerType: PeerAddressType,
    peer: BluetoothAddress, timing: LEConnectionTiming, centralClockAccuracy: UInt8
  ) {
    self.status = status
    self.connection = connection
    self.isPeripheral = isPeripheral
    self.peerType = peerType
    self.peer = peer
    self.timing = timing
    self.centralClockAccuracy = centralClockAccuracy
  }
}

/// The private addresses of a link, zero where none is used (Core 5.4, Vol 4, Part E, 7.7.65.10).
public struct LEConnectionPrivacy: Hashable, Sendable {
  /// This host's address, generated by a controller with address resolution.
  public var local: BluetoothAddress
  public var peer: BluetoothAddress

  public init(local: BluetoothAddress, peer: BluetoothAddress) {
    self.local = local
    self.peer = peer
  }
}

/// The maximum packet lengths of an LE link (Core 5.4, Vol 4, Part E, 7.7.65.7).
public struct LEDataLength: Hashable, Sendable {
  /// The maximum payload of a sent packet in bytes, 27 to 251.
  public var transmitOctets: UInt16
  /// The maximum duration of a sent packet in µs.
  public var transmitTime: UInt16
  /// The maximum payload of a received packet in bytes, 27 to 251.
  public var receiveOctets: UInt16
  /// The maximum duration of a received packet in µs.
  public var receiveTime: UInt16

  public init(
    transmitOctets: UInt16, transmitTime: UInt16, receiveOctets: UInt16, receiveTime: UInt16
  ) {
    self.transmitOctets = transmitOctets
    self.transmitTime = transmitTime
    self.receiveOctets = receiveOctets
    self.receiveTime = receiveTime
  }
}

/// The codes of the decoded events (Core 5.4, Vol 4, Part E, 7.7).
public enum HCIEventCode {
  public static let connectionComplete: UInt8 = 0x03
  public static let disconnectionComplete: UInt8 = 0x05
  public static let encryptionChange: UInt8 = 0x08
  public static let commandComplete: UInt8 = 0x0E
  public static let commandStatus: UInt8 = 0x0F
  public static let synchronousConnectionComplete: UInt8 = 0x2C
  public static let leMeta: UInt8 = 0x3E
}

/// The codes of the decoded LE Meta subevents (Core 5.4, Vol 4, Part E, 7.7.65).
public enum LEEventCode {
  public static let connectionComplete: UInt8 = 0x01
  public static let advertisingReport: UInt8 = 0x02
  public static let connectionUpdateComplete: UInt8 = 0x03
  public static let dataLengthChange: UInt8 = 0x07
  public static let enhancedConnectionComplete: UInt8 = 0x0A
  public static let phyUpdateComplete: UInt8 = 0x0C
  public static let extendedAdvertisingReport: UInt8 = 0x0D
}
