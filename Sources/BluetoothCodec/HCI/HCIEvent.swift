/// An event from the controller (Core 5.4, Vol 4, Part E, 7.7).
public enum HCIEvent: Hashable, Sendable {
  /// A BR/EDR link, which carries sound and its control.
  case connectionComplete(HCIStatus, ClassicLink, isEncrypted: Bool)
  /// The voice of a call.
  case synchronousConnectionComplete(HCIStatus, ClassicLink, SynchronousTiming)
  /// `reason`: why the link ended.
  case disconnectionComplete(HCIStatus, connection: UInt16, reason: HCIStatus)
  /// `connection`: the link's handle, 12 bits, as in every event.
  case encryptionChange(HCIStatus, connection: UInt16, HCIEncryption)
  /// `credits`: commands that the controller takes now.
  case commandComplete(credits: UInt8, HCIOpcode, HCIReturn)
  /// `credits`: commands that the controller takes now.
  case commandStatus(HCIStatus, credits: UInt8, HCIOpcode)
  case le(LEEvent)
  /// An event that is not listed here, with its parameters.
  case other(code: UInt8, Bytes)
}

/// An LE Meta event (Core 5.4, Vol 4, Part E, 7.7.65).
public enum LEEvent: Hashable, Sendable {
  /// LE Connection Complete; what failed has a status other than 0 and no handle that means
  /// anything.
  case connectionComplete(LEConnection)
  /// LE Enhanced Connection Complete: the same, with the private addresses of both ends.
  case enhancedConnectionComplete(LEConnection, LEConnectionPrivacy)
  /// The new connection parameters, requested by either side.
  case connectionUpdateComplete(HCIStatus, connection: UInt16, LEConnectionTiming)
  /// The link carries packets of at most these lengths now.
  case dataLengthChange(connection: UInt16, LEDataLength)
  /// The link uses these PHYs now, by its own directions: what this host sends and receives.
  case phyUpdateComplete(HCIStatus, connection: UInt16, transmit: PHY, receive: PHY)
  /// LE Advertising Report.
  case advertisingReports([AdvertisingReport])
  /// LE Extended Advertising Report; a controller may answer a legacy scan with it, too.
  case extendedAdvertisingReports([AdvertisingReport])
  /// A subevent that is not listed here, with its parameters.
  case other(subevent: UInt8, Bytes)
}

/// How a link is encrypted (Core 5.4, Vol 4, Part E, 7.7.8).
public enum HCIEncryption: UInt8, Hashable, Sendable {
  case off = 0x00
  /// AES-CCM on LE, E0 on BR/EDR.
  case on = 0x01
  /// AES-CCM on BR/EDR.
  case onWithAESCCM = 0x02
}

/// A new link of BR/EDR (Core 5.4, Vol 4, Part E, 7.7.3 and 7.7.35).
public struct ClassicLink: Hashable, Sendable {
  /// What it carries.
  public enum Kind: UInt8, Hashable, Sendable {
    case sco = 0x00
    case acl = 0x01
    case eSCO = 0x02
  }

  /// The link's handle: 12 bits.
  public var connection: UInt16
  public var peer: BluetoothAddress
  public var kind: Kind

  public init(connection: UInt16, peer: BluetoothAddress, kind: Kind) {
    self.connection = connection
    self.peer = peer
    self.kind = kind
  }
}

/// When the voice of a call is sent, and how much (Core 5.4, Vol 4, Part E, 7.7.35).
public struct SynchronousTiming: Hashable, Sendable {
  /// 0.625 ms.
  public var interval: UInt8
  /// 0.625 ms.
  public var retransmissionWindow: UInt8
  /// Bytes.
  public var receiveLength: UInt16
  /// Bytes.
  public var transmitLength: UInt16
  /// How the voice is coded: 0 µ-law, 1 A-law, 2 CVSD, 3 transparent.
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
public struct LEConnection: Hashable, Sendable {
  /// Other than success: there is no link, and the rest means nothing.
  public var status: HCIStatus
  /// The link's handle: 12 bits.
  public var connection: UInt16
  /// Whether this host is the link's peripheral.
  public var isPeripheral: Bool
  public var peerType: PeerAddressType
  /// The identity, if the controller has resolved a private address by its list; else as on the
  /// air.
  public var peer: BluetoothAddress
  public var timing: LEConnectionTiming
  /// As the specification codes it: 0 is 500 ppm, 7 is 20 ppm.
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

/// The private addresses of a link, zero where none is used
/// (Core 5.4, Vol 4, Part E, 7.7.65.10).
public struct LEConnectionPrivacy: Hashable, Sendable {
  /// This host's, which a controller with address resolution made.
  public var local: BluetoothAddress
  /// The peer's, as it was on the air.
  public var peer: BluetoothAddress

  public init(local: BluetoothAddress, peer: BluetoothAddress) {
    self.local = local
    self.peer = peer
  }
}

/// The largest LE packets of a link (Core 5.4, Vol 4, Part E, 7.7.65.7).
public struct LEDataLength: Hashable, Sendable {
  /// Bytes of payload.
  public var transmitOctets: UInt16
  /// µs on the air.
  public var transmitTime: UInt16
  /// Bytes of payload.
  public var receiveOctets: UInt16
  /// µs on the air.
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
