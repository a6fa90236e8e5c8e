internal import HeadphoneProtocols

extension Capabilities {
  /// Creates the capabilities of a headphone from its own report and its attributes.
  ///
  /// - Parameters:
  ///   - report: the response to command 0x01, or nil to use the features that the attributes show.
  ///   - batteries: the parts with a known level or a Battery service.
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
    // A headphone with a case has two buds, even while they are out of reach.
    self.batteries = Part.allCases.filter { hasCase || batteries.contains($0) }
  }
}

extension HeadphoneMap {
  fileprivate var features: Features {
    var features: Features = []
    if ancMode?.canWrite == true { features.insert(.anc) }
    if eqPreset?.canWrite == true { features.insert(.eq) }
    if firmwareData != nil { features.insert(.firmwareUpdate) }
    return features
  }
}
