/// A source that sound is recorded from: a microphone or another input, never an output's monitor.
public struct AudioSource: Hashable, Sendable {
  /// The server's key, for example "bluez_input.F0_F1_F2_F3_F4_F5.0".
  public var name: String
  /// The description; unsanitised.
  public var description: String
  /// Whether the card or the source reports that it is Bluetooth.
  public var isBluetooth: Bool
  /// The Bluetooth address in upper case, "F0:F1:F2:F3:F4:F5", or nil if there is none.
  public var address: String?
  public var isMuted: Bool
  /// The name of the source's card, or nil if it has none.
  public var card: String?
  /// The programs that record from this source now, in the order of the server; unsanitised.
  public var programs: [String]

  public init(
    name: String, description: String, isBluetooth: Bool = false, address: String? = nil,
    isMuted: Bool = false, card: String? = nil, programs: [String] = []
  ) {
    self.name = name
    self.description = description
    self.isBluetooth = isBluetooth
    self.address = address
    self.isMuted = isMuted
    self.card = card
    self.programs = programs
  }

  /// Whether this source is the microphone of `card`.
  public func isPart(of card: AudioCard) -> Bool {
    self.card == card.name || address != nil && address?.uppercased() == card.address?.uppercased()
  }
}
