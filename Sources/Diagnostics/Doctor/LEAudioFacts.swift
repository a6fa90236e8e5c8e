internal import BluetoothCodec
internal import BluetoothLinux
internal import EventLoop
internal import Glibc

/// The LE Audio support that bluetoothd reports.
public struct LEAudioServiceFacts: Hashable, Sendable {
  /// A paired or connected device with a service of LE Audio.
  public struct Device: Hashable, Sendable {
    /// The name, or the address.
    public var name: String
    /// The UUIDs of its 16-bit services.
    public var services: Set<UInt16>
    public var isConnected: Bool

    /// The 16-bit UUIDs of services that bluetoothd, as the owner of the link, reserves for itself.
    public var withheld: Set<UInt16>

    public init(
      name: String, services: Set<UInt16>, isConnected: Bool, withheld: Set<UInt16> = []
    ) {
      self.name = name
      self.services = services
      self.isConnected = isConnected
      self.withheld = withheld
    }
  }

  /// The 16-bit UUIDs for which a sound server can register endpoints.
  public var endpoints: Set<UInt16>
  /// The UUIDs of the adapter's own 16-bit services.
  public var services: Set<UInt16>
  /// The devices with a service of LE Audio.
  public var devices: [Device]
  /// The parts of bluetoothd's version, major first; empty if unknown.
  public var version: [Int]

  public init(
    endpoints: Set<UInt16>, services: Set<UInt16>, devices: [Device], version: [Int] = []
  ) {
    self.endpoints = endpoints
    self.services = services
    self.devices = devices
    self.version = version
  }
}

struct LEAudioFacts: Hashable, Sendable {
  var kernel = IsochronousSurvey(supported: nil, feature: nil, socket: .fails(EAFNOSUPPORT))
  var service: LEAudioServiceFacts?
  /// Whether bluetoothd runs, or nil if other users' processes are hidden.
  var hasDaemon: Bool?
  var configuration: DaemonConfiguration?
  var hasCodec = false

  init() {}

  /// Reads files and queries the kernel, which may block.
  init(_ service: LEAudioServiceFacts?, _ bluetooth: BluetoothSurvey) {
    kernel = IsochronousSurvey(adapter: bluetooth.chosen)
    self.service = service
    hasDaemon = bluetooth.hasDaemon
    configuration = text(at: DaemonConfiguration.path).map(DaemonConfiguration.init)
    hasCodec = Self.codecPaths.contains { access($0, F_OK) == 0 }
  }

  private static let codecPaths = [
    "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib/arm-linux-gnueabihf",
    "/usr/lib/riscv64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib",
  ].map { "\($0)/spa-0.2/bluez5/libspa-codec-bluez5-lc3.so" }
}

struct DaemonConfiguration: Hashable, Sendable {
  static let path = "/etc/bluetooth/main.conf"

  /// The values by section and key, all in lower case, for example "general.experimental".
  private var values: [String: String] = [:]

  /// Parses a file as GLib does: sections in brackets, keys with "=", comments with "#".
  init(_ text: String) {
    var section = ""
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.drop { $0.isWhitespace }
      if line.hasPrefix("#") || line.isEmpty { continue }
      if line.hasPrefix("[") {
        section = line.dropFirst().prefix { $0 != "]" }.lowercased()
        continue
      }
      guard let sign = line.firstIndex(of: "=") else { continue }
      let key = line[..<sign].filter { !$0.isWhitespace }.lowercased()
      values["\(section).\(key)"] = line[line.index(after: sign)...]
        .filter { !$0.isWhitespace }.lowercased()
    }
  }

  var isExperimental: Bool { values["general.experimental"] == "true" }
  var controllerMode: String { values["general.controllermode"] ?? "dual" }
  /// Whether other programs may write to services that bluetoothd's profiles claim (since 5.80).
  var sharesClaimed: Bool { values["gatt.exportclaimedservices"] == "read-write" }
}

private func text(at path: String) -> String? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  let result = bytes.withUnsafeMutableBytes { room in
    systemCall { read(descriptor, room.baseAddress, room.count) }
  }
  guard case .done(let count) = result else { return nil }
  return String(decoding: bytes[..<count], as: UTF8.self)
}
