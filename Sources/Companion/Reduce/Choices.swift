import Headphones

extension State {
  mutating func stepANC(by step: Int, at moment: Moment) -> [Effect] {
    guard let headphone = readyHeadphone, let capabilities = headphone.capabilities else {
      return sayNotConnected(at: moment)
    }
    guard let mode = headphone.anc.shown.step(by: step, in: capabilities.ancModes) else {
      return sayMissing("noise control", of: headphone.id, at: moment)
    }
    return want(mode, at: moment)
  }

  mutating func choose(_ mode: ANCMode, at moment: Moment) -> [Effect] {
    guard let headphone = readyHeadphone, let capabilities = headphone.capabilities else {
      return sayNotConnected(at: moment)
    }
    guard capabilities.ancModes.contains(mode) else {
      return sayMissing("noise control mode \"\(mode.name)\"", of: headphone.id, at: moment)
    }
    return want(mode, at: moment)
  }

  mutating func flipTransparency(at moment: Moment) -> [Effect] {
    guard let headphone = readyHeadphone, let modes = headphone.capabilities?.ancModes else {
      return sayNotConnected(at: moment)
    }
    guard modes.contains(.transparency) else {
      return sayMissing("transparency", of: headphone.id, at: moment)
    }
    guard headphone.anc.shown == .transparency else { return want(.transparency, at: moment) }
    let before = headphone.ancBeforeTransparency ?? .noiseCancelling
    let target = modes.contains(before) ? before : modes.first { $0 != .transparency }
    return target.map { want($0, at: moment) } ?? []
  }

  private mutating func want(_ mode: ANCMode, at moment: Moment) -> [Effect] {
    if let headphone = headphones.selected, mode == .transparency,
      let before = headphone.anc.shown, before != .transparency
    {
      headphones.update(headphone.id) { $0.ancBeforeTransparency = before }
    }
    return want(mode, of: \.anc) { .setANC($0) }
  }

  mutating func stepANCLevel(by step: Int, at moment: Moment) -> [Effect] {
    guard let headphone = readyHeadphone else { return sayNotConnected(at: moment) }
    guard let able = headphone.capabilities, able.hasANCLevel else {
      return sayMissing("noise control level", of: headphone.id, at: moment)
    }
    let middle = (able.ancLevels.lowerBound + able.ancLevels.upperBound) / 2
    let now = headphone.ancLevel.shown ?? middle
    let next = Int(now) + step * Int(able.ancLevelStep)
    let level = UInt8(
      clamping: min(max(next, Int(able.ancLevels.lowerBound)), Int(able.ancLevels.upperBound)))
    guard level != now else { return [] }
    return want(level, of: \.ancLevel) { .setANCLevel($0) }
  }

  mutating func stepEQ(by step: Int, at moment: Moment) -> [Effect] {
    guard let headphone = readyHeadphone, let capabilities = headphone.capabilities else {
      return sayNotConnected(at: moment)
    }
    guard let preset = headphone.eq.shown.step(by: step, in: capabilities.eqPresets) else {
      return sayMissing("equaliser", of: headphone.id, at: moment)
    }
    return want(preset)
  }

  mutating func toggleWearDetection(at moment: Moment) -> [Effect] {
    guard let headphone = readyHeadphone else { return sayNotConnected(at: moment) }
    guard headphone.capabilities?.hasWearDetection == true else {
      return sayMissing("wear detection", of: headphone.id, at: moment)
    }
    let isOn = !(headphone.wearDetection.shown ?? false)
    return want(isOn, of: \.wearDetection) { .setWearDetection(isOn: $0) }
  }

  /// The cursor is on the headphone's own volume.
  var isOwnVolumeFocused: Bool {
    focus == .control && controlRow == .volume && page == .main
      && headphones.selected?.capabilities?.hasVolume == true
  }

  /// - Parameter step: in 5 %.
  mutating func stepVolume(by step: Int, at moment: Moment) -> [Effect] {
    wantVolume(at: moment) { now in
      let level = min(max(0, Int(now.level) + 5 * step), 100)
      return HeadphoneVolume(level: UInt8(level), isMuted: now.isMuted)
    }
  }

  mutating func toggleOwnMute(at moment: Moment) -> [Effect] {
    wantVolume(at: moment) { HeadphoneVolume(level: $0.level, isMuted: !$0.isMuted) }
  }

  private mutating func wantVolume(
    at moment: Moment, _ change: (HeadphoneVolume) -> HeadphoneVolume
  ) -> [Effect] {
    guard let headphone = readyHeadphone else { return sayNotConnected(at: moment) }
    guard let now = headphone.volume.shown else {
      return sayMissing("volume of its own", of: headphone.id, at: moment)
    }
    let wished = change(now)
    return wished == now ? [] : want(wished, of: \.volume) { .setVolume($0) }
  }

  /// Starting is loud and asks; stopping is not and does not.
  mutating func findOrStop(at moment: Moment) -> [Effect] {
    guard let headphone = readyHeadphone else { return sayNotConnected(at: moment) }
    guard headphone.capabilities?.hasFind == true else {
      return sayMissing("sound to be found by", of: headphone.id, at: moment)
    }
    guard headphone.find.shown?.isEmpty != false else { return want([], of: \.find) { .find($0) } }
    guard !headphone.budsToFind.isEmpty else {
      return say("both buds are in your ears, and the sound is loud", headphone.id, at: moment)
    }
    dialog = .question(Question(.find(headphone.id)))
    return []
  }

  mutating func sayMissing(_ feature: String, of id: HeadphoneID, at moment: Moment) -> [Effect] {
    say("this headphone has no \(feature)", id, at: moment)
  }
}

extension HeadphoneState {
  /// Those that are not known to be in an ear.
  var budsToFind: Sides {
    var sides = Sides.both
    if wearing?.left == true { sides.remove(.left) }
    if wearing?.right == true { sides.remove(.right) }
    return sides
  }
}

extension Optional where Wrapped: Equatable {
  /// The value `step` further in `choices`, round the ends; the first if this one is not there.
  func step(by step: Int, in choices: [Wrapped]) -> Wrapped? {
    guard !choices.isEmpty else { return nil }
    guard let self, let index = choices.firstIndex(of: self) else { return choices.first }
    return choices[((index + step) % choices.count + choices.count) % choices.count]
  }
}
