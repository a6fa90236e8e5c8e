import HeadphoneProtocols

/// Preset and gains change the same sound: one command at a time, in order.
extension State {
  /// Sets one of the headphone's presets, after gains that are pending.
  ///
  /// - Parameter preset: A preset of the headphone's own; `custom` needs gains.
  mutating func want(_ preset: EQPreset) -> [Effect] {
    guard let id = headphones.selected?.id else { return [] }
    headphones.update(id) { $0.eq.wait(with: preset) }
    return sendEqualiser(of: id)
  }

  /// Sets gains, and with them the custom preset, which replaces a pending preset.
  ///
  /// - Parameter gains: One for each band, from the lowest, within the headphone's range.
  mutating func want(_ gains: [BandGain]) -> [Effect] {
    guard let id = headphones.selected?.id else { return [] }
    headphones.update(id) {
      $0.eq.dropWaiting()
      $0.bands.wait(with: gains)
    }
    return sendEqualiser(of: id)
  }

  /// The end of a command of the equaliser: its token says whether it was the preset's or the
  /// gains'.
  ///
  /// What waited meanwhile is sent.
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

  /// Sends the next change, unless one is unanswered.
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
