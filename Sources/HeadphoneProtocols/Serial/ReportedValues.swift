internal import BluetoothCodec

/// The values that a headphone has reported so far, with the capabilities and events that follow.
///
/// A protocol decodes bytes and passes the values on: only a change becomes an event, and a setting
/// is there once it has been reported.
///
/// ```swift
/// var reported = ReportedValues()
/// reported.apply(ANCMode.transparency)  // [.ancChanged(.transparency)]
/// reported.apply(ANCMode.transparency)  // []: it is known
/// try reported.confirm(.setANC(.off))  // throws unsupported: transparency was reported
/// ```
struct ReportedValues: Hashable, Sendable {
  /// The last level of each part that was reported.
  private(set) var batteries: [Part: Battery] = [:]
  /// Nil, as all that follows: not reported.
  private(set) var wearing: Wearing?
  private(set) var noise: ANCMode?
  /// The level of ambient sound, in the headphone's own steps.
  private(set) var level: UInt8?
  private(set) var volume: HeadphoneVolume?
  /// The buds that ring.
  private(set) var ringing: Sides?
  /// The gains of all bands.
  private(set) var equaliser: [BandGain]?
  /// The headphone's refusal of the last command; `nil` if it has not refused it.
  var refusal: HeadphoneError?
  /// The last command for a paired device; nil: none was given.
  private var deviceCommand: DeviceCommand?

  private struct DeviceCommand: Hashable, Sendable {
    var action: PairedDeviceAction
    var address: BluetoothAddress
  }
  private var values: [SettingID: SettingValue] = [:]
  /// The reported settings, in the order of their first reports.
  private var declarations: [SettingDeclaration] = []

  /// A setting's value; nil: the headphone has not reported it.
  subscript(id: SettingID) -> SettingValue? { values[id] }

  /// Whether a switch was reported on; nil: it was not reported.
  func isOn(_ id: SettingID) -> Bool? {
    if case .toggle(let isOn)? = values[id] { isOn } else { nil }
  }

  /// The capabilities that follow from the reports; modes, ranges and bands are the protocol's to
  /// add.
  var capabilities: Capabilities {
    var able = Capabilities()
    able.batteries = Part.allCases.filter { batteries[$0] != nil }
    able.hasCase = batteries[.case] != nil
    able.hasVolume = volume != nil
    able.hasFind = ringing != nil
    able.settings = declarations
    return able
  }

  /// The devices that the headphone is paired with; nil: not reported.
  var pairedDevices: [PairedDevice]? {
    if case .pairedDevices(let devices)? = values[.pairedDevices] { devices } else { nil }
  }

  /// The actions on paired devices that the headphone's declaration names.
  private var deviceActions: [PairedDeviceAction] {
    let declaration = declarations.first { $0.id == .pairedDevices }
    if case .pairedDevices(let actions)? = declaration?.kind { return actions }
    return []
  }

  /// Begins a command for a paired device, of which the list says when it is carried out.
  ///
  /// - Throws: `unsupported` for an action that the headphone does not take; `badArgument` for a
  ///   device that it is not paired with, or that the action would not change.
  mutating func begin(
    _ action: PairedDeviceAction, _ address: BluetoothAddress
  ) throws(HeadphoneError) {
    guard deviceActions.contains(action) else { throw .unsupported("command to \(action.title)") }
    guard let device = pairedDevices?.first(where: { $0.address == address }) else {
      throw .badArgument("the headphone is not paired with \(address)")
    }
    guard device.accepts(action) else {
      throw .badArgument("\(device.title) is already in that state")
    }
    (refusal, deviceCommand) = (nil, DeviceCommand(action: action, address: address))
  }

  /// Whether the list of paired devices does not show the last command yet: such a list answers no
  /// question behind it.
  var isDeviceCommandOpen: Bool {
    deviceCommand.map { pairedDevices?.show($0.action, $0.address) != true } ?? false
  }

  /// Removes a setting that is not available any more.
  mutating func withdraw(_ id: SettingID) {
    values[id] = nil
    declarations.removeAll { $0.id == id }
  }

  /// Applies the levels of the parts that a report names; the others stay as they were.
  ///
  /// - Returns: one event with all parts, or none where nothing changed.
  mutating func apply(_ parts: [Part: Battery]) -> [HeadphoneEvent] {
    let before = batteries
    batteries.merge(parts) { $1 }
    return batteries == before ? [] : [.batteryChanged(batteries)]
  }

  /// Applies the levels of a message, and reports one that was beyond its scale.
  mutating func apply(_ levels: BatteryLevels) -> [HeadphoneEvent] {
    apply(levels.parts) + (levels.mistake.map { [.malformed("\($0)")] } ?? [])
  }

  /// Notes which buds are worn.
  mutating func apply(_ reported: Wearing) -> [HeadphoneEvent] {
    defer { wearing = reported }
    return wearing == reported ? [] : [.wearingChanged(reported)]
  }

  /// Applies which buds ring.
  mutating func apply(ringing reported: Sides) -> [HeadphoneEvent] {
    defer { ringing = reported }
    return ringing == reported ? [] : [.findChanged(reported)]
  }

  /// Checks that buds may ring.
  ///
  /// - Throws: `refused(.wrongState)` where one of them is known to be worn.
  func checkRinging(_ sides: Sides) throws(HeadphoneError) {
    let worn = Sides(
      [(Sides.left, wearing?.left), (.right, wearing?.right)].filter { $0.1 == true }.map { $0.0 })
    guard sides.isDisjoint(with: worn) else { throw .refused(.wrongState) }
  }

  /// Applies the mode of noise control.
  mutating func apply(_ mode: ANCMode) -> [HeadphoneEvent] {
    defer { noise = mode }
    return noise == mode ? [] : [.ancChanged(mode)]
  }

  /// Applies the level of ambient sound or cancelling.
  mutating func apply(level reported: UInt8) -> [HeadphoneEvent] {
    defer { level = reported }
    return level == reported ? [] : [.ancLevelChanged(reported)]
  }

  /// Applies the volume.
  mutating func apply(_ reported: HeadphoneVolume) -> [HeadphoneEvent] {
    defer { volume = reported }
    return volume == reported ? [] : [.volumeChanged(reported)]
  }

  /// Applies the gains of all bands, under the preset that they belong to.
  mutating func apply(_ preset: EQPreset, _ gains: [BandGain]) -> [HeadphoneEvent] {
    defer { equaliser = gains }
    return equaliser == gains ? [] : [.eqChanged(preset, bands: gains)]
  }

  /// Applies a setting's value, which declares the setting.
  ///
  /// A value that the declaration does not accept is dropped. A declaration that changed replaces
  /// the one before; its change alone is no event.
  mutating func apply(
    _ declaration: SettingDeclaration, _ value: SettingValue
  ) -> [HeadphoneEvent] {
    guard declaration.accepts(value) else { return [] }
    if let index = declarations.firstIndex(where: { $0.id == declaration.id }) {
      declarations[index] = declaration
    } else {
      declarations.append(declaration)
    }
    return values.updateValue(value, forKey: declaration.id) == value
      ? [] : [.settingChanged(declaration.id, value)]
  }

  /// Confirms a command by the reported value.
  ///
  /// Only noise control, its level, settings and paired devices are compared; other commands pass.
  ///
  /// - Throws: ``refusal``, or `unsupported` if another value was reported last.
  func confirm(_ command: HeadphoneCommand) throws(HeadphoneError) {
    if let refusal { throw refusal }
    switch command {
    case .setANC(let mode) where noise != mode:
      throw .noMode(mode)
    case .setANCLevel(let requested) where level != requested:
      throw .unsupported("level \(requested)")
    case .set(let id, let value) where values[id] != nil && values[id] != value:
      throw .unsupported("\(id.displayText) \(value.text)")
    case .pairedDevice where isDeviceCommandOpen:
      throw .badArgument("the headphone did not do it; is the device switched on and near?")
    default: break
    }
  }
}

extension SettingDeclaration {
  /// A choice whose titles are its identifiers in words: `when-taken-off` is "When taken off".
  static func choices(_ ids: [String]) -> Kind {
    .choice(
      ids.map { id in
        let words = id.split(separator: "-").joined(separator: " ")
        return SettingChoice(id, title: words.prefix(1).uppercased() + words.dropFirst())
      })
  }
}
