/// The texts of the Device Information service (180A), as received, or nil if missing.
public struct DeviceInformation: Hashable, Sendable {
  /// Manufacturer Name String (2A29).
  public var manufacturer: String?
  /// Model Number String (2A24).
  public var model: String?
  /// Serial Number String (2A25).
  public var serial: String?
  /// Firmware Revision String (2A26).
  public var firmware: String?
  /// Hardware Revision String (2A27).
  public var hardware: String?

  public init(
    manufacturer: String? = nil, model: String? = nil, serial: String? = nil,
    firmware: String? = nil, hardware: String? = nil
  ) {
    self.manufacturer = manufacturer
    self.model = model
    self.serial = serial
    self.firmware = firmware
    self.hardware = hardware
  }
}
