/// A source that sound is recorded from: a microphone or another input, never an output's monitor.
package struct AudioSource: Hashable, Sendable {
  /// The server's key, for example "bluez_input.F0_F1_F2_F3_F4_F5.0".
  package var name: String
  /// The description; unsanitised.
  package var description: String
  package var isBluetooth: Bool
  /// The Bluetooth address in upper case, "F0:F1:F2:F3:F4:F5", or nil if there is none.
  package var address: String?
  package var isMuted: Bool
  package var card: String?
  /// The programs that record from this source now, in the order of the server; unsanitised.
  package var programs: [String]

  package init(
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

  package func isPart(of card: AudioCard) -> Bool {
    self.card == card.name || address != nil && address?.uppercased() == card.address?.uppercased()
  }
}
