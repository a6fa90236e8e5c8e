package import HeadphoneProtocols

/// A serial number that identifies one headphone.
///
/// Serial numbers are only unique for one manufacturer and model. Placeholders such as "0000" or
/// "-" are rejected, as they would merge two headphones.
package struct SerialNumber: Hashable, Sendable {
  package var manufacturer: String?
  package var model: String?
  package var number: String

  package init(manufacturer: String?, model: String?, number: String) {
    self.manufacturer = manufacturer
    self.model = model
    self.number = number
  }

  package init?(_ information: DeviceInformation) {
    guard let number = information.serial else { return nil }
    let digits = number.filter { $0.isLetter || $0.isNumber }
    guard digits.count >= 4, Set(digits).count >= 2 else { return nil }
    self.init(
      manufacturer: information.manufacturer, model: information.model, number: number)
  }
}
