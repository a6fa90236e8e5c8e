import HeadphoneProtocols

extension State {
  /// Sets the correction in the headphone's equaliser, or restores the former sound afterwards.
  mutating func settleBands(of id: HeadphoneID) -> [Effect] {
    headphones.update(id) { $0.noteCorrectionInBands() }
    guard let headphone = headphones[id], headphone.link.isReady,
      headphone.capabilities.map({ $0.eqBands > 0 }) == true
    else { return [] }
    let correction = headphone.correction
    guard correction.choice.isOn, correctionPlace(of: headphone) == .headphone else {
      guard let before = correction.choice.before else { return [] }
      headphones.update(id) {
        $0.correction.choice.before = nil
        ($0.correction.applied, $0.correction.taken) = (nil, nil)
      }
      let effects = headphone.correctionInBands == .changed ? [] : restore(before, on: headphone)
      return effects + keep(.correction, of: id)
    }
    guard let gains = correction.prepared?.fit?.gains, gains != correction.applied else {
      return []
    }
    var effects: [Effect] = []
    // An unknown sound could not be restored later.
    guard
      correction.choice.before != nil || headphone.bands.confirmed != nil
        || headphone.presetToCome != nil
    else { return [] }
    guard headphone.correctionInBands != .changed else { return [] }
    headphones.update(id) {
      ($0.correction.applied, $0.correction.taken) = (gains, nil)
      if $0.correction.choice.before == nil {
        $0.correction.choice.before = EQSound(preset: $0.presetToCome, gains: $0.bands.shown)
      }
    }
    if correction.choice.before == nil { effects += keep(.correction, of: id) }
    guard headphone.bands.shown != gains || headphone.presetToCome != .custom else {
      return effects
    }
    return effects + want(gains.settingValue, of: .equaliserBands, on: id)
  }

  private mutating func restore(_ sound: EQSound, on headphone: HeadphoneState) -> [Effect] {
    let count = headphone.capabilities?.eqBands ?? 0
    let flat = Array(repeating: BandGain.flat, count: count)
    let gains = sound.gains.flatMap { $0.count == count ? $0 : nil } ?? flat
    var effects = want(gains.settingValue, of: .equaliserBands, on: headphone.id)
    if let preset = sound.preset, preset != .custom {
      effects += want(preset.settingValue, of: .equaliserPreset, on: headphone.id)
    }
    return effects
  }
}

enum CorrectionInBands: Hashable, Sendable {
  case asked
  /// The headphone confirmed the correction, and still has it.
  case taken
  /// The headphone confirmed the correction, but was changed since.
  case changed
}

extension HeadphoneState {
  var correctionInBands: CorrectionInBands {
    guard let taken = correction.taken, let gains = bands.shown, let preset = presetToCome else {
      return .asked
    }
    return gains == taken && preset == .custom ? .taken : .changed
  }

  /// Stores the gains that the headphone confirmed, which may be rounded to steps that are unknown.
  fileprivate mutating func noteCorrectionInBands() {
    guard let applied = correction.applied, bands.pending == nil, presetToCome == .custom,
      let confirmed = bands.confirmed, confirmed.count == applied.count
    else { return }
    let isFirst = correction.taken == nil || correction.taken == applied
    let isNear = zip(confirmed, applied).allSatisfy { abs($0.decibels - $1.decibels) <= 1 }
    if confirmed == applied || isFirst && isNear { correction.taken = confirmed }
  }
}
