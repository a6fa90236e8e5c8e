import Headphones

/// A preset and gains are two wishes about one sound: never two commands on the air, in order.
extension State {
  /// Wants one of the headphone's presets; gains that wait go first.
  mutating func want(_ preset: EQPreset) -> [Effect] {
    guard let id = headphones.selected?.id else { return [] }
    headphones.update(id) { $0.eq.wait(with: preset) }
    return sendEqualiser(of: id)
  }

  /// Wants gains, and with them the custom preset: a preset that waits is not wanted any more.
  mutating func want(_ gains: [BandGain]) -> [Effect] {
    guard let id = headphones.selected?.id else { return [] }
    headphones.update(id) {
      $0.eq.dropWaiting()
      $0.bands.wait(with: gains)
    }
    return sendEqualiser(of: id)
  }

  mutating func settleEqualiser(
    _ token: CommandToken, _ succeeded: Bool, of id: HeadphoneID
  ) -> [Effect] {
    headphones.update(id) {
      if !$0.eq.ended(token, succeeded: succeeded) {
        $0.bands.ended(token, succeeded: succeeded)
      }
    }
    return sendEqualiser(of: id)
  }

  /// Sends what is next, unless something is on the air.
  private mutating func sendEqualiser(of id: HeadphoneID) -> [Effect] {
    guard let headphone = headphones[id], !headphone.eq.isOnAir, !headphone.bands.isOnAir else {
      return []
    }
    let token = nextToken
    let command = headphones.update(id) { headphone in
      headphone.bands.send(under: token).map { HeadphoneCommand.setCustomEQ($0) }
        ?? headphone.eq.send(under: token).map { .setEQ($0) }
    }
    guard case .some(.some(let command)) = command else { return [] }
    return send(command, to: id)
  }
}
