internal import Companion
internal import HeadphoneProtocols
internal import JSON

extension CorrectionChoice {
  var json: JSON {
    [
      "on": .bool(isOn), "byHand": .bool(isByHand), "name": JSON(name), "file": JSON(file),
      "strength": JSON(strength),
      "bass": JSON(Int(bass.halfDecibels)), "place": .string(place.rawValue),
      "before": JSON(before) { sound in
        [
          "preset": JSON(sound.preset.map { Int($0.rawValue) }),
          "gains": JSON(sound.gains) { .array($0.map { JSON(Int($0.halfDecibels)) }) },
        ]
      },
    ]
  }

  /// Decodes a choice, with the defaults for members that are missing or out of range.
  init(json: JSON) {
    self.init()
    if case .bool(let isOn)? = json["on"] { self.isOn = isOn }
    if case .bool(let isByHand)? = json["byHand"] { self.isByHand = isByHand }
    name = json["name"]?.text
    file = json["file"]?.text
    if let percent = json["strength"]?.wholeNumber, (0...100).contains(percent) {
      strength = Int(percent)
    }
    if let gain = json["bass"].flatMap(BandGain.init(json:)) {
      bass = gain.limited(to: Self.mostBass)
    }
    if let named = json["place"]?.text.flatMap(Place.init(rawValue:)) { place = named }
    guard let sound = json["before"], case .object = sound else { return }
    before = EQSound(
      preset: json["before"]?["preset"]?.wholeNumber.flatMap { UInt8(exactly: $0) }
        .flatMap(EQPreset.init(rawValue:)),
      gains: sound["gains"]?.elements?.compactMap(BandGain.init(json:)))
  }
}

extension BandGain {
  fileprivate init?(json: JSON) {
    guard let halves = json.wholeNumber.flatMap({ Int8(exactly: $0) }) else { return nil }
    self.init(halfDecibels: halves)
  }
}
