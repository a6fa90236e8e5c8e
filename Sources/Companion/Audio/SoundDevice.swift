package import AudioRoute

/// An audio output: a card with its sink, or a sink without a card.
package struct SoundDevice: Hashable, Sendable, Identifiable {
  /// The identity across runs, which a pin stores; an address outlasts names of the sound server.
  package struct ID: Hashable, Sendable {
    /// The upper-case Bluetooth address, or else the name of the card or sink.
    package let text: String

    package init(_ text: String) { self.text = text }
  }

  package var id: ID
  package var description: String
  package var isBluetooth: Bool
  package var card: AudioCard?
  /// The sink; nil if the card has none now, such as with its profile off.
  package var sink: AudioSink?

  /// Whether the identity or description starts with `selector`, ignoring case.
  package func matches(_ selector: String) -> Bool {
    let wanted = selector.lowercased()
    guard !wanted.isEmpty else { return false }
    return [id.text, description].contains { $0.lowercased().hasPrefix(wanted) }
  }
}

extension AudioSnapshot {
  /// Every device that sound can be sent to, Bluetooth devices first.
  ///
  /// A card and a sink are one device if they have the same address, or the sink names the card.
  package var devices: [SoundDevice] {
    var devices: [SoundDevice] = []
    for card in cards {
      let sink = sinks.first { $0.isPart(of: card) }
      devices.append(
        SoundDevice(
          id: SoundDevice.ID(card.address?.uppercased() ?? card.name),
          description: card.description, isBluetooth: true, card: card, sink: sink))
    }
    let others = sinks.filter { sink in !cards.contains { sink.isPart(of: $0) } }
    for sink in others.filter({ $0.bluetooth != nil }) + others.filter({ $0.bluetooth == nil }) {
      let address = sink.bluetooth?.address?.uppercased()
      devices.append(
        SoundDevice(
          id: SoundDevice.ID(address ?? sink.name), description: sink.description,
          isBluetooth: sink.bluetooth != nil, card: nil, sink: sink))
    }
    return devices
  }
}

extension AudioSink {
  fileprivate func isPart(of card: AudioCard) -> Bool {
    if self.card == card.name { return true }
    guard let own = bluetooth?.address, let its = card.address else { return false }
    return own.uppercased() == its.uppercased()
  }
}
