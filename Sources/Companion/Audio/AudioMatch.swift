public import AudioRoute
import BluetoothCodec

/// The sound device of a headphone, and the rule by which it was matched.
///
/// A control link has an LE address, a sound device a BR/EDR address or only a name: which belong
/// together is inferred, and the screen says by which rule.
public struct AudioMatch: Hashable, Sendable {
  /// The device's sink, if it has one now.
  public var sink: AudioSink?
  /// The device's card, if the server lists one.
  public var card: AudioCard?
  /// The rule by which it was matched.
  public var rule: Rule

  /// The rule by which a sound device was matched, the surest first.
  ///
  /// Its value is the rule's name in JSON; only the last can be wrong.
  public enum Rule: String, Hashable, Sendable, CaseIterable {
    /// The user pinned it.
    case pinned
    /// The headphone names its public address.
    case publicAddress = "public-address"
    /// Both links use one address.
    case sameAddress = "same-address"
    /// One headphone and one sound device have this name.
    case uniqueName = "unique-name"
  }

  /// Whether the rule can be wrong.
  public var isCertain: Bool { rule != .uniqueName }
}

extension State {
  /// The sound device that is this headphone; nil: none, or none for sure.
  ///
  /// Rules are tried from the surest to the weakest, and the first that applies decides. A name
  /// decides only if exactly one headphone and one sound device have it, and only while no public
  /// address is known: two equal headphones in one household would otherwise be mixed up.
  ///
  /// - Parameter headphone: One of ``headphones``; uniqueness of the name is counted among those.
  public func audioMatch(for headphone: HeadphoneState) -> AudioMatch? {
    guard case .running(let sound) = audio else { return nil }
    // A pin excludes other devices while the pinned one is absent.
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
    // A known address that no sound device has is another device, whatever its name.
    guard headphone.publicAddress == nil else { return nil }
    let name = comparable(headphone.name)
    guard !name.isEmpty, headphones.count(where: { comparable($0.name) == name }) == 1 else {
      return nil
    }
    return sound.onlyDevice(named: name)
  }
}

extension AudioSnapshot {
  /// The pinned device, by the address or name that the pin saved.
  fileprivate func device(pinned id: SoundDevice.ID) -> AudioMatch? {
    devices.first { $0.id == id }.map { AudioMatch(sink: $0.sink, card: $0.card, rule: .pinned) }
  }

  /// The sink and the card with this address, without regard to case.
  fileprivate func device(at address: String, by rule: AudioMatch.Rule) -> AudioMatch? {
    let address = address.uppercased()
    let sink = sinks.first { $0.bluetooth?.address?.uppercased() == address }
    let card = cards.first { $0.address?.uppercased() == address }
    return sink == nil && card == nil ? nil : AudioMatch(sink: sink, card: card, rule: rule)
  }

  /// The one device of this name; nil where two sinks or cards share it, or where a sink and a card
  /// of this name have different addresses.
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

/// Lower case, with single spaces: "WH-1000XM5 " equals "wh-1000xm5".
private func comparable(_ name: String) -> String {
  let words = name.lowercased().split(whereSeparator: \.isWhitespace)
  return words.joined(separator: " ")
}
