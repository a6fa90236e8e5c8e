/// The Device Information service (180A), text as the headphone sent it, unsanitised.
public struct DeviceInformation: Hashable, Sendable {
  public var manufacturer: String?
  public var model: String?
  public var serial: String?
  public var firmware: String?
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
