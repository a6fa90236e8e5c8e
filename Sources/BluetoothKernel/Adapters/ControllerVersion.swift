internal import BluetoothCodec
internal import CBluetooth

/// The version and the manufacturer of an adapter's controller, from libbluetooth's tables.
package struct ControllerVersion: Hashable, Sendable {
  /// The version of the Core specification, for example "5.2", or nil if libbluetooth lacks it.
  package var core: String?
  /// The manufacturer's name, or nil for an unassigned number.
  package var maker: String?

  /// The time-out in milliseconds, which up to nine other responses may each restart.
  private static let timeout: Int32 = 250

  /// Creates the description of the numbers that a controller returns.
  package init(lmp version: UInt8, company: UInt16) {
    core = textOfLibrary(lmp_vertostr(UInt32(version)))
    let name = bt_compidtostr(Int32(company)).map { String(cString: $0) }
    maker = ["not assigned", "internal use"].contains(name) ? nil : name
  }

  /// Queries the controller of an adapter that is on, which blocks; fails without a response.
  init?(of adapter: AdapterInfo) {
    guard let socket = try? SocketDescriptor(adapter: adapter.index, during: "read the version")
    else { return nil }
    var version = hci_version()
    guard hci_read_local_version(socket.number, &version, Self.timeout) == 0 else { return nil }
    self.init(lmp: version.lmp_ver, company: version.manufacturer)
  }
}

extension ControllerVersion: CustomStringConvertible {
  /// The known parts, for example "Bluetooth 5.2, Intel Corp."; possibly empty.
  package var description: String {
    [core.map { "Bluetooth \($0)" }, maker].compactMap { $0 }.joined(separator: ", ")
  }
}
