internal import HeadphoneProtocols

extension Capabilities {
  func with(
    _ standard: StandardServices, _ reported: [Part: Battery], _ set: CoordinatedSet?
  ) -> Capabilities {
    var all = self
    if all.batteries.isEmpty { all.batteries = Part.allCases.filter { reported[$0] != nil } }
    // A bud reports only its own battery; the other bud exists even if it is out of reach.
    if set?.others == 1, !reported.isEmpty {
      all.batteries = Part.allCases.filter { $0 != .case || all.batteries.contains(.case) }
    }
    if all.batteries.contains(.case) { all.hasCase = true }
    if standard.alert != nil { all.hasFind = true }
    all.hasVolume = standard.volume != nil
    all.hasBroadcasts = standard.broadcasts != nil
    return all
  }

  func with(_ stream: FastPairProtocol?) -> Capabilities {
    guard let reported = stream?.capabilities else { return self }
    var all = self
    if !reported.batteries.isEmpty { all.batteries = reported.batteries }
    all.hasCase = all.hasCase || reported.hasCase
    all.hasFind = true
    all.settings += reported.settings
    return all
  }
}

extension Capabilities {
  func narrowed(to model: HeadphoneModel?) -> Capabilities {
    guard let model else { return self }
    var all = self
    if let modes = model.ancModes { all.ancModes = ancModes.filter(modes.contains) }
    all.hasANCLevel = hasANCLevel && !all.ancModes.isEmpty
    let parts: [Part] =
      switch model.shape {
      case .headband: [.left]
      case .buds: [.left, .right]
      case .budsWithCase, nil: Part.allCases
      }
    all.batteries = batteries.filter(parts.contains)
    all.hasCase = hasCase && parts.contains(.case)
    return all
  }
}

extension DeviceInformation {
  func filled(by other: DeviceInformation?) -> DeviceInformation {
    DeviceInformation(
      manufacturer: manufacturer ?? other?.manufacturer, model: model ?? other?.model,
      serial: serial ?? other?.serial, firmware: firmware ?? other?.firmware,
      hardware: hardware ?? other?.hardware)
  }
}

extension Side {
  /// The bud as the find command names it.
  var mask: Sides { self == .left ? .left : .right }
}
