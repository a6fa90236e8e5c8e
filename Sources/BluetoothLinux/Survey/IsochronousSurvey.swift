public import BluetoothCodec
internal import CBluetooth
internal import EventLoop
internal import Glibc

/// What the kernel reveals of LE Audio to every process.
public struct IsochronousSurvey: Hashable, Sendable {
  /// The kernel's experimental feature that permits isochronous sockets.
  public enum Feature: Hashable, Sendable {
    /// This kernel does not have it.
    case missing
    case off
    case on
  }

  /// Whether a process may open an isochronous socket.
  public enum Socket: Hashable, Sendable {
    case opens
    /// The error number of `socket(2)`.
    case fails(Int32)
  }

  /// What the adapter can do; `nil` if the kernel did not say.
  public var supported: ManagementSettings?
  /// `nil` if the kernel did not say.
  public var feature: Feature?
  public var socket: Socket
  /// Whether the adapter has LE 2M; `nil` if the kernel did not say, which needs CAP_NET_ADMIN.
  public var hasDoubleRate: Bool?

  public init(
    supported: ManagementSettings?, feature: Feature?, socket: Socket, hasDoubleRate: Bool? = nil
  ) {
    self.supported = supported
    self.feature = feature
    self.socket = socket
    self.hasDoubleRate = hasDoubleRate
  }

  /// Takes a snapshot now, which may block for half a second.
  ///
  /// - Parameter adapter: `nil` if there is none.
  public init(adapter: AdapterInfo?) {
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

  /// The return parameters of a command; `nil` if it failed, or nothing came in time.
  private static func reply(
    to opcode: ManagementOpcode, on management: ManagementSocket
  ) -> ManagementReturn? {
    var entry = pollfd(fd: management.descriptor.number, events: Int16(POLLIN), revents: 0)
    // Events of other programs' commands come on the same socket.
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

  /// Whether LE 2M is supported in both directions, by a PHY configuration (BlueZ,
  /// doc/mgmt-protocol): supported, configurable and selected, four bytes each.
  ///
  /// - Returns: `nil` for one that ends early.
  static func hasDoubleRate(in configuration: Bytes) -> Bool? {
    var reader = ByteReader(configuration, of: "PHY configuration")
    guard let supported = try? reader.uint32() else { return nil }
    return supported & doubleRate == doubleRate
  }

  /// LE 2M, transmitted and received.
  private static let doubleRate: UInt32 = 1 << 11 | 1 << 12

  /// The state of the feature in a list of experimental features (BlueZ, doc/mgmt-protocol).
  ///
  /// - Returns: `nil` for a list that ends early.
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

  /// 6fbaf188-05e0-496a-9885-d6ddfdb4e03e, least significant byte first.
  private static let isochronous: [UInt8] = [
    0x3E, 0xE0, 0xB4, 0xFD, 0xDD, 0xD6, 0x85, 0x98, 0x6A, 0x49, 0xE0, 0x05, 0x88, 0xF1, 0xBA, 0x6F,
  ]
}
