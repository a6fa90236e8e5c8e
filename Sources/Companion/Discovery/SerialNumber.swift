public import HeadphoneProtocols

/// A serial number that identifies one headphone.
///
/// Numbers are unique per maker and model only, and a number that looks like a placeholder ("0000",
/// "-") is none: it would make two headphones one.
public struct SerialNumber: Hashable, Sendable {
  /// Nil: not reported.
  public var manufacturer: String?
  /// Nil: not reported.
  public var model: String?
  /// The number as the headphone reported it.
  public var number: String

  public init(manufacturer: String?, model: String?, number: String) {
    self.manufacturer = manufacturer
    self.model = model
    self.number = number
  }

  /// Nil where the headphone reports none, or a placeholder.
  public init?(_ information: DeviceInformation) {
    guard let number = information.serial else { return nil }
    let digits = number.filter { $0.isLetter || $0.isNumber }
    guard digits.count >= 4, Set(digits).count >= 2 else { return nil }
    self.init(
      manufacturer: information.manufacturer, model: information.model, number: number)
  }
}
