internal import BluetoothCodec

/// The values that a headphone has reported so far, with the capabilities and events derived from
/// them.
///
/// Only a change becomes an event, and a setting exists once it has been reported. The events are
/// collected here, so that an invalid value does not affect the other values of its message.
package struct ReportedValues: Hashable, Sendable {
  private(set) var batteries: [Part: Battery] = [:]
  /// The worn buds; like the following properties, nil until they are reported.
  private(set) var wearing: Wearing?
  private(set) var noise: ANCMode?
  /// The number of an unnamed mode, or nil if the current mode has a name or is unknown.
  private(set) var unnamedMode: UInt8?
  /// The level of ambient sound, in the headphone's own steps.
  private(set) var level: UInt8?
  private(set) var volume: HeadphoneVolume?
  private(set) var ringing: Sides?
  private(set) var equaliser: [BandGain]?
  /// The error with which the headphone rejected the last command, or nil if it did not.
  var refusal: HeadphoneError?
  private var deviceCommand: DeviceCommand?

  private struct DeviceCommand: Hashable, Sendable {
    var action: PairedDeviceAction
    var address: BluetoothAddress
  }
  private var values: [SettingID: SettingValue] = [:]
  private var events: [HeadphoneEvent] = []
  private var declarations: [SettingDeclaration] = []

  subscript(id: SettingID) -> SettingValue? { values[id] }

  func isOn(_ id: SettingID) -> Bool? {
    if case .toggle(let isOn)? = values[id] { isOn } else { nil }
  }

  var hasNoise: Bool { noise != nil || unnamedMode != nil }

  /// The capabilities derived from the reports; the protocol adds modes, ranges and bands.
  var capabilities: Capabilities {
    var able = Capabilities()
    able.batteries = Part.allCases.filter { batteries[$0] != nil }
    able.hasCase = batteries[.case] != nil
    able.hasVolume = volume != nil
    able.hasFind = ringing != nil
    able.settings = declarations
    return able
  }

  var pairedDevices: [PairedDevice]? {
    if case .pairedDevices(let devices)? = values[.pairedDevices] { devices } else { nil }
  }

  private var deviceActions: [PairedDeviceAction] {
    let declaration = declarations.first { $0.id == .pairedDevices }
    if case .pairedDevices(let actions)? = declaration?.kind { return actions }
    return []
  }

  /// Begins a command for a paired device, whose success a later list of paired devices shows.
  ///
  /// - Throws: `unsupported` for an action that the headphone does not support; `badArgument` for a
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

  /// Whether the list of paired devices does not show the last command's effect yet, so that it is
  /// no answer to the request that follows the command.
  var isDeviceCommandOpen: Bool {
    deviceCommand.map { pairedDevices?.show($0.action, $0.address) != true } ?? false
  }

  mutating func withdraw(_ id: SettingID) {
    values[id] = nil
    declarations.removeAll { $0.id == id }
  }

  /// Throws `refused(.wrongState)` if one of the buds to ring is known to be worn.
  func checkRinging(_ sides: Sides) throws(HeadphoneError) {
    let worn = Sides(
      [(Sides.left, wearing?.left), (.right, wearing?.right)].filter { $0.1 == true }.map { $0.0 })
    guard sides.isDisjoint(with: worn) else { throw .refused(.wrongState) }
  }

  // MARK: Applying

  /// Returns the events since the last call, in order; malformed ones quote `message`.
  mutating func takeEvents(of message: Bytes = []) -> [HeadphoneEvent] {
    defer { events = [] }
    return events.map { event in
      if case .malformed(let what) = event {
        .malformed("\(what): \(hexadecimal(message))")
      } else {
        event
      }
    }
  }

  mutating func reject(_ error: MalformedBytes) { events.append(.malformed("\(error)")) }

  mutating func note(_ event: HeadphoneEvent) { events.append(event) }

  /// Adds an event for a well-formed message, or a part of one, that is unknown here; `name` is its
  /// kind without content, such as "message 0503".
  mutating func skip(_ name: String) { events.append(.unknown(name)) }

  /// Applies the levels of the parts in a report; other parts keep their levels.
  mutating func apply(_ parts: [Part: Battery]) {
    let before = batteries
    batteries.merge(parts) { $1 }
    if batteries != before { events.append(.batteryChanged(batteries)) }
  }

  mutating func apply(_ levels: BatteryLevels) {
    apply(levels.parts)
    if let mistake = levels.mistake { reject(mistake) }
  }

  mutating func apply(_ reported: Wearing) {
    if wearing != reported { events.append(.wearingChanged(reported)) }
    wearing = reported
  }

  mutating func apply(ringing reported: Sides) {
    if ringing != reported { events.append(.findChanged(reported)) }
    ringing = reported
  }

  mutating func apply(_ mode: ANCMode) {
    if noise != mode { events.append(.ancChanged(mode)) }
    (noise, unnamedMode) = (mode, nil)
  }

  mutating func apply(unnamedMode number: UInt8) {
    if unnamedMode != number {
      events.append(.settingChanged(.noiseMode, .choice("\(number)")))
    }
    (noise, unnamedMode) = (nil, number)
  }

  mutating func apply(level reported: UInt8) {
    if level != reported { events.append(.ancLevelChanged(reported)) }
    level = reported
  }

  mutating func apply(_ reported: HeadphoneVolume) {
    if volume != reported { events.append(.volumeChanged(reported)) }
    volume = reported
  }

  mutating func apply(
    _ preset: EQPreset, _ gains: [BandGain]
  ) {
    if equaliser != gains { events.append(.eqChanged(preset, bands: gains)) }
    equaliser = gains
  }

  /// Applies the value of a setting, and declares the setting.
  ///
  /// A value of another kind, or beyond the declaration's range, is dropped. An unnamed choice is
  /// reported as its number, since the previous choice no longer applies, but cannot be selected. A
  /// changed declaration replaces the previous one, which alone causes no event.
  mutating func apply(
    _ declaration: SettingDeclaration, _ value: SettingValue
  ) {
    guard declaration.accepts(value) || declaration.isUnnamed(value) else { return }
    if let index = declarations.firstIndex(where: { $0.id == declaration.id }) {
      declarations[index] = declaration
    } else {
      declarations.append(declaration)
    }
    if values.updateValue(value, forKey: declaration.id) != value {
      events.append(.settingChanged(declaration.id, value))
    }
  }

  mutating func apply(_ declaration: SettingDeclaration, unnamed number: UInt8) {
    apply(declaration, .choice("\(number)"))
  }

  mutating func apply(_ declaration: SettingDeclaration, _ name: String?, or number: UInt8) {
    apply(declaration, .choice(name ?? "\(number)"))
  }

  /// Compares a command for noise control, its level, settings or paired devices with the reports.
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
  fileprivate func isUnnamed(_ value: SettingValue) -> Bool {
    if case (.choice, .choice(let id)) = (kind, value) { UInt8(id) != nil } else { false }
  }
}
