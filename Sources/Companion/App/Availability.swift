import HeadphoneProtocols

/// Whether a command would do something now.
public enum Availability: Hashable, Sendable {
  case available
  /// It would not: why, as a sentence fragment without a full stop, and the command that helps.
  case refused(String, remedy: UserCommand? = nil)

  /// A feature that the selected headphone lacks.
  ///
  /// - Parameter feature: Completes "this headphone has no …".
  static func lacking(_ feature: String) -> Availability {
    .refused("this headphone has no \(feature)")
  }
}

/// Conditions that commands share.
extension State {
  /// Whether the selected headphone is connected and has a feature.
  func available(
    _ feature: String, where has: (Capabilities) -> Bool
  ) -> Availability {
    guard let capabilities = readyHeadphone?.capabilities else { return notConnected }
    return has(capabilities) ? .available : .lacking(feature)
  }

  /// Whether the selected headphone has a feature, connected or not.
  func known(_ feature: String, where has: (HeadphoneState, Capabilities) -> Bool) -> Availability {
    guard let headphone = headphones.selected, let capabilities = headphone.capabilities else {
      return notConnected
    }
    return has(headphone, capabilities) ? .available : .lacking(feature)
  }

  /// Why a command reaches no headphone, with the one that helps.
  ///
  /// | headphone | reason | remedy |
  /// | --- | --- | --- |
  /// | none | no headphone yet | scan |
  /// | none, and no adapter | no Bluetooth adapter | doctor |
  /// | only advertises | nothing to connect to | none, or the one that routes its sound |
  /// | being connected | not yet | none |
  /// | not connected | not connected | connect |
  var notConnected: Availability {
    guard let headphone = headphones.selected else {
      return adapter == .absent
        ? .refused(adapter.displayText, remedy: .doctor)
        : .refused("no headphone yet", remedy: .scan)
    }
    if headphone.isAdvertisingOnly { return .notConnectable(headphone) }
    return headphone.link.isBusy
      ? .refused("not yet: \(headphone.link.displayText)")
      : .refused("not connected", remedy: .connectOrDisconnect)
  }

  /// Shows why a command does nothing, with the key that helps.
  mutating func explain(_ availability: Availability, at timestamp: Timestamp) -> [Effect] {
    guard case .refused(let why, let remedy) = availability else { return [] }
    return explain(why, headphones.selected?.id, remedy: remedy, at: timestamp)
  }

  /// Shows why a command reaches no headphone, with the key that helps.
  mutating func noteNotConnected(at timestamp: Timestamp) -> [Effect] {
    explain(notConnected, at: timestamp)
  }
}

extension Availability {
  /// A headphone that only advertises has no link to make; one with sound only gets the command
  /// that routes it.
  static func notConnectable(_ headphone: HeadphoneState) -> Availability {
    headphone.isAudioOnly
      ? .refused("Earshot cannot control this model; its sound works", remedy: .routeSound)
      : .refused("connect its sound first; until then it only broadcasts")
  }
}
