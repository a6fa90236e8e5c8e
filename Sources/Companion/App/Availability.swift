import HeadphoneProtocols

package enum Availability: Hashable, Sendable {
  case available
  /// The command does nothing, for a reason without a full stop; the remedy may help.
  case refused(String, remedy: UserCommand? = nil)

  static func lacking(_ feature: String) -> Availability {
    .refused("this headphone has no \(feature)")
  }
}

extension State {
  func available(
    _ feature: String, where has: (Capabilities) -> Bool
  ) -> Availability {
    guard let capabilities = readyHeadphone?.capabilities else { return notConnected }
    return has(capabilities) ? .available : .lacking(feature)
  }

  func known(_ feature: String, where has: (HeadphoneState, Capabilities) -> Bool) -> Availability {
    guard let headphone = headphones.selected, let capabilities = headphone.capabilities else {
      return notConnected
    }
    return has(headphone, capabilities) ? .available : .lacking(feature)
  }

  /// Why a command reaches no headphone, with the command that helps.
  ///
  /// | headphone | reason | remedy |
  /// | --- | --- | --- |
  /// | none | no headphone yet | scan |
  /// | none, and no adapter | no Bluetooth adapter | doctor |
  /// | only advertises | no link possible | none, or routing its sound |
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

  mutating func explain(_ availability: Availability, at timestamp: Timestamp) -> [Effect] {
    guard case .refused(let why, let remedy) = availability else { return [] }
    return explain(why, headphones.selected?.id, remedy: remedy, at: timestamp)
  }

  mutating func noteNotConnected(at timestamp: Timestamp) -> [Effect] {
    explain(notConnected, at: timestamp)
  }
}

extension Availability {
  static func notConnectable(_ headphone: HeadphoneState) -> Availability {
    headphone.isAudioOnly
      ? .refused("Earshot cannot control this model; its sound works", remedy: .routeSound)
      : .refused("connect its sound first; until then it only broadcasts")
  }
}
