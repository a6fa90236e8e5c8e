package import AudioRoute
import BluetoothCodec

/// The sound device of a headphone, and the rule by which it was matched.
///
/// A control link has an LE address, and a sound device a BR/EDR address or only a name, so the
/// match is inferred, and the screen shows the rule.
package struct AudioMatch: Hashable, Sendable {
  package var sink: AudioSink?
  package var card: AudioCard?
  package var rule: Rule

  /// The rules for matching a sound device, surest first; the raw values are used in JSON.
  package enum Rule: String, Hashable, Sendable, CaseIterable {
    case pinned
    /// The headphone reports the sound device's address as its public address.
    case publicAddress = "public-address"
    case sameAddress = "same-address"
    /// Exactly one headphone and one sound device have this name, so the match may be wrong.
    case uniqueName = "unique-name"
  }

  package var isCertain: Bool { rule != .uniqueName }
}

extension State {
  /// Returns the sound device of `headphone`, or nil if there is none or it is ambiguous.
  ///
  /// The surest rule that applies decides. A name only decides without a public address and if it
  /// is unique on both sides, as two headphones of one model in a household would be mixed up.
  package func audioMatch(for headphone: HeadphoneState) -> AudioMatch? {
    guard case .running(let sound) = audio else { return nil }
    // A pin excludes other devices, even while the pinned one is absent.
    if let pin = headphone.soundPin { return sound.device(pinned: pin) }
    if let address = headphone.publicAddress,
      let match = sound.device(at: address, by: .publicAddress)
    {
      return match
    }
    if headphone.address.kind == .public,
      let match = sound.device(at: headphone.address.address.description, by: .sameAddress)
    {
      return match
    }
    // If no sound device has the known address, a device of the same name is another one.
    guard headphone.publicAddress == nil else { return nil }
    let name = comparable(headphone.name)
    // First what is quick: most of many headphones have no device of their name.
    guard !name.isEmpty, let device = sound.onlyDevice(named: name),
      headphones.count(where: { comparable($0.name) == name }) == 1
    else { return nil }
    return device
  }
}

extension AudioSnapshot {
  fileprivate func device(pinned id: SoundDevice.ID) -> AudioMatch? {
    devices.first { $0.id == id }.map { AudioMatch(sink: $0.sink, card: $0.card, rule: .pinned) }
  }

  fileprivate func device(at address: String, by rule: AudioMatch.Rule) -> AudioMatch? {
    let address = address.uppercased()
    let sinks = sinks.filter { $0.bluetooth?.address?.uppercased() == address }
    let cards = cards.filter { $0.address?.uppercased() == address }
    // A headphone may be connected by two adapters, with a card for each.
    let sink =
      sinks.first { $0.name == defaultSink }
      ?? sinks.first { $0.bluetooth?.profile != .handsFree } ?? sinks.first
    let card =
      cards.first { $0.name == sink?.card } ?? cards.first { $0.musicProfile != nil }
      ?? cards.first
    return sink == nil && card == nil ? nil : AudioMatch(sink: sink, card: card, rule: rule)
  }

  func hasDevice(named name: String) -> Bool {
    devices.contains { $0.isBluetooth && comparable($0.description) == comparable(name) }
  }

  fileprivate func onlyDevice(named name: String) -> AudioMatch? {
    let sinks = sinks.filter { $0.bluetooth != nil && comparable($0.description) == name }
    let cards = cards.filter { comparable($0.description) == name }
    guard sinks.count <= 1, cards.count <= 1 else { return nil }
    if let sink = sinks.first, let card = cards.first,
      let one = sink.bluetooth?.address, let other = card.address, one != other
    {
      return nil
    }
    guard sinks.first != nil || cards.first != nil else { return nil }
    return AudioMatch(sink: sinks.first, card: cards.first, rule: .uniqueName)
  }
}

private func comparable(_ name: String) -> String {
  let words = name.lowercased().split(whereSeparator: \.isWhitespace)
  return words.joined(separator: " ")
}
