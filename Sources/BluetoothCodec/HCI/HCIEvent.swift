/// An event from the controller (Core 5.4, Vol 4, Part E, 5.4.4 and 7.7).
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | event code |
/// | 1 | 1 | length *n* |
/// | 2 | *n* | parameters |
///
/// | code | event | parameters (octets) |
/// | --- | --- | --- |
/// | 03 | Connection Complete | status (1), ``ClassicLink`` (9), encryption (1) |
/// | 05 | Disconnection Complete | status (1), handle (2), reason (1) |
/// | 08 | Encryption Change | status (1), handle (2), encryption (1) |
/// | 0E | Command Complete | credits (1), opcode (2), ``HCIReturn`` |
/// | 0F | Command Status | status (1), credits (1), opcode (2) |
/// | 2C | Synchronous Connection Complete | status, ``ClassicLink``, ``SynchronousTiming`` (7) |
/// | 3E | LE Meta | subevent (1), see ``LEEvent`` |
///
/// ```swift
/// if case .disconnectionComplete(_, let connection, let reason) = try HCIEvent(decoding: bytes) {
///   print("link", connection, "ended:", reason)  // link 64 ended: Connection Timeout (0x08)
/// }
/// ```
///
/// Section numbers below are those of Core 5.4, Vol 4, Part E. Connection handles have 12 bits;
/// `credits` is the number of commands that the controller accepts now.
public enum HCIEvent: Hashable, Sendable {
  /// A BR/EDR link was established, or failed to be (7.7.3).
  case connectionComplete(HCIStatus, ClassicLink, isEncrypted: Bool)
  /// A synchronous link, the voice of a call, was established, or failed to be (7.7.35).
  case synchronousConnectionComplete(HCIStatus, ClassicLink, SynchronousTiming)
  /// A link has ended for a reason (7.7.5).
  case disconnectionComplete(HCIStatus, connection: UInt16, reason: HCIStatus)
  /// The encryption of a link was switched on or off (7.7.8).
  case encryptionChange(HCIStatus, connection: UInt16, HCIEncryption)
  /// A command has ended with these return parameters (7.7.14).
  case commandComplete(credits: UInt8, HCIOpcode, HCIReturn)
  /// A command was started, and completes by another event; or it failed (7.7.15).
  case commandStatus(HCIStatus, credits: UInt8, HCIOpcode)
  /// An LE Meta event (7.7.65).
  case le(LEEvent)
  /// Any other event with its parameters.
  case other(code: UInt8, Bytes)
}

/// An LE Meta event: a subevent code and its parameters (Core 5.4, Vol 4, Part E, 7.7.65).
///
/// | subevent | event | parameters (octets) |
/// | --- | --- | --- |
/// | 01 | Connection Complete | see ``LEConnection`` |
/// | 02 | Advertising Report | count (1), reports |
/// | 03 | Connection Update Complete | status (1), handle (2), then as in ``LEConnection`` (6) |
/// | 07 | Data Length Change | handle (2), TX octets and time, RX octets and time (2 each) |
/// | 0A | Enhanced Connection Complete | see ``LEConnection`` |
/// | 0C | PHY Update Complete | status (1), handle (2), TX PHY (1), RX PHY (1) |
/// | 0D | Extended Advertising Report | count (1), reports |
public enum LEEvent: Hashable, Sendable {
  /// LE Connection Complete (7.7.65.1); after a failure only the status has a meaning.
  case connectionComplete(LEConnection)
  /// LE Enhanced Connection Complete (7.7.65.10): the same with the private addresses of both ends.
  case enhancedConnectionComplete(LEConnection, LEConnectionPrivacy)
  /// LE Connection Update Complete (7.7.65.3): the new parameters, whichever side requested them.
  case connectionUpdateComplete(HCIStatus, connection: UInt16, LEConnectionTiming)
  /// LE Data Length Change (7.7.65.7): the new maximum lengths of packets.
  case dataLengthChange(connection: UInt16, LEDataLength)
  /// LE PHY Update Complete (7.7.65.12): the PHYs on which this host transmits and receives.
  case phyUpdateComplete(HCIStatus, connection: UInt16, transmit: PHY, receive: PHY)
  /// LE Advertising Report (7.7.65.2); reports of a reserved type are left out.
  case advertisingReports([AdvertisingReport])
  /// LE Extended Advertising Report (7.7.65.13), which some controllers also send for a legacy
  /// scan.
  case extendedAdvertisingReports([AdvertisingReport])
  /// Any other subevent with its parameters.
  case other(subevent: UInt8, Bytes)
}

/// The encryption of a link (Core 5.4, Vol 4, Part E, 7.7.8).
public enum HCIEncryption: UInt8, Hashable, Sendable {
  /// Not encrypted.
  case off = 0x00
  /// AES-CCM on LE, E0 on BR/EDR.
  case on = 0x01
  /// AES-CCM on BR/EDR.
  case onWithAESCCM = 0x02
}

/// A new BR/EDR link (Core 5.4, Vol 4, Part E, 7.7.3 and 7.7.35).
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 2 | connection handle |
/// | 2 | 6 | peer address |
/// | 8 | 1 | link type |
public struct ClassicLink: Hashable, Sendable {
  /// The link type, as HCI numbers it.
  public enum Kind: UInt8, Hashable, Sendable {
    /// Synchronous, without retransmission.
    case sco = 0x00
    /// Asynchronous: L2CAP.
    case acl = 0x01
    /// Synchronous, with retransmission.
    case eSCO = 0x02
  }

  /// The connection handle, 12 bits.
  public var connection: UInt16
  /// The public address of the peer.
  public var peer: BluetoothAddress
  /// The link type.
  public var kind: Kind

  public init(connection: UInt16, peer: BluetoothAddress, kind: Kind) {
    self.connection = connection
    self.peer = peer
    self.kind = kind
  }
}

/// The parameters of a synchronous link (Core 5.4, Vol 4, Part E, 7.7.35).
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | transmission interval |
/// | 1 | 1 | retransmission window |
/// | 2 | 2 | receive packet length |
/// | 4 | 2 | transmit packet length |
/// | 6 | 1 | air mode |
public struct SynchronousTiming: Hashable, Sendable {
  /// The time between two synchronous packets, in slots of 0.625 ms.
  public var interval: UInt8
  /// The size of the retransmission window, in slots of 0.625 ms.
  public var retransmissionWindow: UInt8
  /// The length of a received packet in bytes.
  public var receiveLength: UInt16
  /// The length of a sent packet in bytes.
  public var transmitLength: UInt16
  /// The coding of the voice: 0 µ-law, 1 A-law, 2 CVSD, 3 transparent.
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
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | status |
/// | 1 | 2 | connection handle |
/// | 3 | 1 | role: 0 central, 1 peripheral |
/// | 4 | 1 | peer address type |
/// | 5 | 6 | peer address |
/// | 11 | 6 | interval, latency, supervision time-out |
/// | 17 | 1 | central clock accuracy |
///
/// The enhanced event has the two private addresses before the interval.
public struct LEConnection: Hashable, Sendable {
  /// The status; if it is not success, there is no link, and the other values mean nothing.
  public var status: HCIStatus
  /// The connection handle, 12 bits.
  public var connection: UInt16
  /// Whether this host has the peripheral role.
  public var isPeripheral: Bool
  /// The type of ``peer``, which also shows whether the controller resolved it.
  public var peerType: PeerAddressType
  /// The identity address, if the controller has resolved a private one; else the address on the
  /// air.
  public var peer: BluetoothAddress
  /// The connection parameters.
  public var timing: LEConnectionTiming
  /// The accuracy of the central's clock, as HCI encodes it: 0 is 500 ppm, 7 is 20 ppm.
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
  /// This host's address, which a controller with address resolution generated.
  public var local: BluetoothAddress
  /// The peer's address on the air.
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

/// The subevent codes of LE Meta events (Core 5.4, Vol 4, Part E, 7.7.65).
public enum LEEventCode {
  public static let connectionComplete: UInt8 = 0x01
  public static let advertisingReport: UInt8 = 0x02
  public static let connectionUpdateComplete: UInt8 = 0x03
  public static let dataLengthChange: UInt8 = 0x07
  public static let enhancedConnectionComplete: UInt8 = 0x0A
  public static let phyUpdateComplete: UInt8 = 0x0C
  public static let extendedAdvertisingReport: UInt8 = 0x0D
}
