package import BluetoothCodec
internal import CBluetooth
internal import EventLoop
internal import Glibc

/// The kernel's support for LE Audio, as far as it is visible to every process.
package struct IsochronousSurvey: Hashable, Sendable {
  /// The kernel's experimental feature that permits isochronous sockets.
  package enum Feature: Hashable, Sendable {
    case missing
    case off
    case on
  }

  /// Whether a process may open an isochronous socket.
  package enum Socket: Hashable, Sendable {
    case opens
    /// The errno of `socket(2)`.
    case fails(Int32)
  }

  /// The adapter's supported settings, or nil if the kernel did not report them.
  package var supported: ManagementSettings?
  /// The state of the experimental feature, or nil if the kernel did not report it.
  package var feature: Feature?
  package var socket: Socket
  /// Whether the adapter has LE 2M, or nil if unknown; reading it needs CAP_NET_ADMIN.
  package var hasDoubleRate: Bool?

  package init(
    supported: ManagementSettings?, feature: Feature?, socket: Socket, hasDoubleRate: Bool? = nil
  ) {
    self.supported = supported
    self.feature = feature
    self.socket = socket
    self.hasDoubleRate = hasDoubleRate
  }

  /// Takes a snapshot now, which may block for half a second.
  package init(adapter: AdapterInfo?) {
    socket = Self.openSocket()
    guard let management = try? ManagementSocket() else { return }
    if let adapter, management.send(.readControllerInformation, to: adapter) {
      if case .information(let information)? = Self.reply(
        to: .readControllerInformation, on: management)
      {
        supported = information.supported
      }
    }
    if let adapter, management.send(.other(.readPHYConfiguration, []), to: adapter),
      case .other(let physicalLayers)? = Self.reply(to: .readPHYConfiguration, on: management)
    {
      hasDoubleRate = Self.hasDoubleRate(in: physicalLayers)
    }
    let everything = AdapterInfo(
      index: Self.noIndex, name: "", address: BluetoothAddress(value: 0), isPowered: false)
    if management.send(.other(.readExperimentalFeatures, []), to: everything),
      case .other(let list)? = Self.reply(to: .readExperimentalFeatures, on: management)
    {
      feature = Self.feature(in: list)
    }
  }

  private static let noIndex: UInt16 = 0xFFFF
  private static let packetType: Int32 = 8
  private static let timeout: Int32 = 250

  private static func openSocket() -> Socket {
    let type = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = Glibc.socket(AF_BLUETOOTH, type, packetType)
    guard descriptor >= 0 else { return .fails(errno) }
    close(descriptor)
    return .opens
  }

  private static func reply(
    to opcode: ManagementOpcode, on management: ManagementSocket
  ) -> ManagementReturn? {
    var entry = pollfd(fd: management.descriptor.number, events: Int16(POLLIN), revents: 0)
    // Events of other programs' commands arrive on the same socket.
    for _ in 0..<16 where poll(&entry, 1, timeout) > 0 {
      guard case .packet(let packet) = management.receive() else { continue }
      switch packet.event {
      case .commandComplete(opcode, .success, let values): return values
      case .commandComplete(opcode, _, _), .commandStatus(opcode, _): return nil
      default: continue
      }
    }
    return nil
  }

  /// Whether a PHY configuration supports LE 2M in both directions, or nil if it is truncated.
  ///
  /// It has the supported, configurable and selected PHYs, 4 bytes each (BlueZ, doc/mgmt-protocol).
  static func hasDoubleRate(in configuration: Bytes) -> Bool? {
    var reader = ByteReader(configuration, of: "PHY configuration")
    guard let supported = try? reader.uint32() else { return nil }
    return supported & doubleRate == doubleRate
  }

  private static let doubleRate: UInt32 = 1 << 11 | 1 << 12

  /// Returns the feature's state in a list of doc/mgmt-protocol (BlueZ), or nil if truncated.
  static func feature(in list: Bytes) -> Feature? {
    var reader = ByteReader(list, of: "experimental features")
    guard let count = try? reader.uint16() else { return nil }
    for _ in 0..<count {
      guard let uuid = try? reader.read(isochronous.count), let flags = try? reader.uint32() else {
        return nil
      }
      if Array(uuid) == isochronous { return flags & 1 << 0 != 0 ? .on : .off }
    }
    return .missing
  }

  /// The UUID 6fbaf188-05e0-496a-9885-d6ddfdb4e03e, least significant byte first.
  private static let isochronous: [UInt8] = [
    0x3E, 0xE0, 0xB4, 0xFD, 0xDD, 0xD6, 0x85, 0x98, 0x6A, 0x49, 0xE0, 0x05, 0x88, 0xF1, 0xBA, 0x6F,
  ]
}
