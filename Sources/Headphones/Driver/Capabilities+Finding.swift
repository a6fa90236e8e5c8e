internal import GATT

extension Capabilities {
  /// What a headphone can do, by what it says of itself and by its attributes.
  ///
  /// - Parameters:
  ///   - report: what it answered to command 0x01; nil: it has what its attributes show and nothing
  ///     more.
  ///   - batteries: the parts of which a level is known, or a Battery service exists.
  init(
    _ report: CapabilityReport?, _ map: HeadphoneMap, _ profile: DeviceProfile,
    batteries: Set<Part>
  ) {
    self.init()
    let features = (report?.features ?? map.features).intersection(profile.features)
    if features.contains(.anc) { ancModes = report?.ancModes ?? ANCMode.allCases }
    if features.contains(.eq) { eqPresets = report?.eqPresets ?? EQPreset.allCases }
    if features.contains(.customEQ) { eqBands = Int(report?.bands ?? 0) }
    if profile.eqCentres.count == eqBands { eqCentres = profile.eqCentres }
    hasANCLevel = features.contains(.ancLevel)
    if features.contains(.wearDetection) { settings.append(.wearDetection) }
    hasFind = features.contains(.find)
    hasTouchActions = features.contains(.touchActions)
    hasCase = features.contains(.case) || batteries.contains(.case)
    hasFirmwareUpdate = features.contains(.firmwareUpdate)
    hasRename = features.contains(.rename)
    hasFactoryReset = features.contains(.factoryReset)
    // Who has a case has two buds, wherever they are now.
    self.batteries = Part.allCases.filter { hasCase || batteries.contains($0) }
  }
}

extension HeadphoneMap {
  /// The features that the attributes show.
  fileprivate var features: Features {
    var features: Features = []
    if ancMode?.canWrite == true { features.insert(.anc) }
    if eqPreset?.canWrite == true { features.insert(.eq) }
    if firmwareData != nil { features.insert(.firmwareUpdate) }
    return features
  }
}
