public import AudioRoute

/// An audio output: a card with its sink, or a sink without a card.
public struct SoundDevice: Hashable, Sendable, Identifiable {
  /// The identity, which stays the same from one run to the next.
  ///
  /// What a pin saves. An address survives a change of the sound server's names.
  public struct ID: Hashable, Sendable {
    /// A Bluetooth address in upper case, else the name of the card or sink.
    public let text: String

    public init(_ text: String) { self.text = text }
  }

  /// The device's identity, the same from one run to the next.
  public var id: ID
  /// Unsanitised.
  public var description: String
  /// Whether the card or the sink says so.
  public var isBluetooth: Bool
  /// Nil: a sink without a card.
  public var card: AudioCard?
  /// Nil: the card has none now, as with its profile off.
  public var sink: AudioSink?

  /// Whether `selector` means this one: its identity, or a beginning of it or its name.
  public func matches(_ selector: String) -> Bool {
    let wanted = selector.lowercased()
    guard !wanted.isEmpty else { return false }
    return [id.text, description].contains { $0.lowercased().hasPrefix(wanted) }
  }
}

extension AudioSnapshot {
  /// Every device that sound can be sent to, those on Bluetooth first.
  ///
  /// A card and a sink are one device if they have one address, or the sink names the card.
  public var devices: [SoundDevice] {
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
