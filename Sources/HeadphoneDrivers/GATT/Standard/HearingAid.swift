internal import BluetoothAttributes
internal import BluetoothCodec
internal import HeadphoneProtocols

/// A hearing aid: presets, volume offsets, inputs, microphones (HAS, VOCS, AICS, MICS 1.0) and
/// ASHA.
///
/// It runs on the client's executor. Values that it reads or receives are emitted as settings.
///
/// | setting | characteristic | command |
/// | --- | --- | --- |
/// | `preset` | Active Preset Index | Set Active Preset, synchronised where the aids can |
/// | `preset-name` | the active preset's record | Write Preset Name |
/// | `offset-left` | Volume Offset State | Set Volume Offset |
/// | `input-…-gain`, `-muted`, `-automatic` | Audio Input State | Set Gain, Mute, Set Automatic |
/// | `microphone-muted` | Mute | the value itself |
/// | `asha` | Read Only Properties | none |
actor HearingAid: ValueFollower {
  nonisolated let client: GATTClient
  var deliveries: [ValueDelivery] = []
  private let services: HearingAidServices
  private nonisolated let emitter: EventEmitter
  private let clock: any Clock<Duration>
  private let hasChanged: @Sendable () -> Void

  /// The side of the body, from the set, the audio location or ASHA, or nil if it is not reported.
  private var side: Side?
  private var features: HearingAidFeatures?
  private var list = PresetList()
  private var outputs: [Int: OutputState] = [:]
  private var outputSides: [Int: Side] = [:]
  private var inputs: [Int: InputState] = [:]
  private var inputGains: [Int: InputGain] = [:]
  private var inputTypes: [Int: InputType] = [:]
  private var inputTitles: [Int: String] = [:]
  private var microphone: MicrophoneMute?
  private(set) var asha: ASHAProperties?
  private var isFollowingPresets = false
  /// The reason why the presets are unknown, in words, or nil if they are known or there are none.
  private(set) var withoutPresets: String?

  private(set) var declarations: [SettingDeclaration] = []
  private var values: [SettingID: SettingValue] = [:]
  private var waiting: Waiting?

  private struct Waiting {
    var number: UInt64
    var caller: CheckedContinuation<Void, Never>
    var isMet: (PresetList) -> Bool
    /// The time-out, which each new preset record restarts.
    var timer: Task<Void, Never>
  }
  private var lastWait: UInt64 = 0
  private(set) var isOver = false

  /// The time in which an aid must confirm a preset, and send the next preset record.
  private static let timeout: Duration = .seconds(3)

  init(
    _ services: HearingAidServices, of client: GATTClient, clock: any Clock<Duration>,
    emitter: EventEmitter, hasChanged: @escaping @Sendable () -> Void
  ) {
    self.services = services
    self.client = client
    self.clock = clock
    self.emitter = emitter
    self.hasChanged = hasChanged
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { client.unownedExecutor }

  // MARK: Reading

  func start(on side: Side?) async throws(HeadphoneError) {
    try await readConstants()
    self.side = side ?? asha?.side
    if let presets = services.presets { try await startPresets(presets) }
    try await followStates()
    try await readStates()
    update(isQuiet: true)
  }

  func refresh() async throws(HeadphoneError) {
    values = [:]
    // The reason for missing presets at the start may no longer apply.
    if withoutPresets != nil, let presets = services.presets {
      try await startPresets(presets)
    } else if let control = services.presets?.control {
      try await readPresets(control)
    }
    try await readStates()
    update()
  }

  private func readConstants() async throws(HeadphoneError) {
    let characteristics =
      services.outputs.map(\.location)
      + services.inputs.flatMap { [$0.gain, $0.type, $0.description] }
      + [services.asha]
    let handles = characteristics.compactMap { $0?.handle }
    let read = try await read(handles)
    for (index, output) in services.outputs.enumerated() {
      outputSides[index] = output.location.flatMap { read[$0.handle] }
        .flatMap(Side.init(locations:))
    }
    for (index, input) in services.inputs.enumerated() {
      inputGains[index] = parse(input.gain, read, InputGain.init(decoding:))
      inputTypes[index] = input.type.flatMap { read[$0.handle]?.first }
        .flatMap(InputType.init(rawValue:))
      inputTitles[index] = input.description.flatMap { read[$0.handle] }
        .map { displayable(textFromAir($0)) }
    }
    asha = parse(services.asha, read, ASHAProperties.init(decoding:))
  }

  /// Reads the features, subscribes, and reads the active preset and the preset records.
  ///
  /// Some aids require pairing for presets; without it, the other settings still work.
  private func startPresets(_ presets: HearingAidServices.Presets) async throws(HeadphoneError) {
    withoutPresets = nil
    do throws(HeadphoneError) {
      let value = try await read(presets.features)
      do throws(MalformedBytes) {
        features = try HearingAidFeatures(decoding: value)
      } catch {
        emitter.report(.malformed(error, value))
      }
      guard let control = presets.control, let active = presets.active else { return }
      if !isFollowingPresets {
        // Records are indicated on this bearer; notifications are for an enhanced bearer.
        var indicating = control
        indicating.properties.remove(.notify)
        try await follow(indicating) { aid, value in aid.receive(message: value) }
        try await followIfAllowed(active) { aid, value in aid.receive(active: value) }
        isFollowingPresets = true
      }
      receive(active: try await read(active))
      try await readPresets(control)
    } catch .gatt(let error) where error.isCuredByPairing {
      withoutPresets = "presets: \(error.absence)"
    } catch .gatt, .noResponse {
      withoutPresets = "presets: the hearing aid does not report them"
    }
  }

  private func readPresets(_ control: Characteristic) async throws(HeadphoneError) {
    list.beginReading()
    do throws(HeadphoneError) {
      try await write(PresetRequest.readAll.encoded(), to: control, by: clock)
    } catch .gatt(.att(let error)) where error.code == .outOfRange {
      // There is no record with this index or a higher one.
      return list.endReading(isEmpty: true)
    } catch {
      list.endReading(isEmpty: false)
      throw error
    }
    await wait { !$0.isReading }
    guard list.isReading else { return }
    list.endReading(isEmpty: false)
    throw .noResponse
  }

  private var states: [Characteristic] {
    services.outputs.map(\.state) + services.inputs.map(\.state)
      + [services.microphone].compactMap(\.self)
  }

  private func readStates() async throws(HeadphoneError) {
    let read = try await read(states.map(\.handle))
    for state in states {
      if let value = read[state.handle] { apply(value, of: state) }
    }
  }

  private func followStates() async throws(HeadphoneError) {
    for state in states {
      try await followIfAllowed(state) { aid, value in
        aid.apply(value, of: state)
        aid.update()
      }
    }
  }

  private func read(_ handles: [UInt16]) async throws(HeadphoneError) -> [UInt16: Bytes] {
    guard !handles.isEmpty else { return [:] }
    return try await gatt { client throws(GATTError) in
      try await client.readValues(handles).compactMapValues { try? $0.get() }
    }
  }

  private func parse<Value>(
    _ characteristic: Characteristic?, _ read: [UInt16: Bytes],
    _ decode: (Bytes) throws(MalformedBytes) -> Value
  ) -> Value? {
    guard let value = characteristic.flatMap({ read[$0.handle] }) else { return nil }
    do throws(MalformedBytes) {
      return try decode(value)
    } catch {
      emitter.report(.malformed(error, value))
      return nil
    }
  }

  private func apply(_ value: Bytes, of state: Characteristic) {
    let read = [state.handle: value]
    if let index = services.outputs.firstIndex(where: { $0.state == state }) {
      outputs[index] = parse(state, read, OutputState.init(decoding:)) ?? outputs[index]
    } else if let index = services.inputs.firstIndex(where: { $0.state == state }) {
      inputs[index] = parse(state, read, InputState.init(decoding:)) ?? inputs[index]
    } else {
      microphone = parse(state, read, MicrophoneMute.init(decoding:)) ?? microphone
    }
  }

  // MARK: Messages

  private func receive(message: Bytes) {
    let count = list.readCount
    do throws(MalformedBytes) {
      if try list.receive(message) { update() }
    } catch {
      emitter.report(.malformed(error, message))
    }
    // A record that is sent again and again must not prolong a reading forever.
    messageCame(isProgress: list.readCount > count)
  }

  private func receive(active value: Bytes) {
    guard value.count == 1, let index = value.first else {
      let error = MalformedBytes("active preset", at: 0, .badLength(value.count))
      return emitter.report(.malformed(error, value))
    }
    list.active = index
    update()
    messageCame(isProgress: false)
  }

  /// Waits until the list meets a condition, at most for ``timeout`` after the last new record.
  private func wait(until isMet: @escaping (PresetList) -> Bool) async {
    guard !isMet(list), !isOver else { return }
    // Only one caller can wait at a time.
    stopWaiting()
    lastWait += 1
    let number = lastWait
    await withCheckedContinuation { caller in
      waiting = Waiting(number: number, caller: caller, isMet: isMet, timer: timer(of: number))
    }
  }

  private func timer(of number: UInt64) -> Task<Void, Never> {
    Task {
      try? await clock.sleep(for: Self.timeout)
      if !Task.isCancelled, waiting?.number == number { stopWaiting() }
    }
  }

  private func messageCame(isProgress: Bool) {
    guard let present = waiting else { return }
    if present.isMet(list) { return stopWaiting() }
    guard isProgress else { return }
    present.timer.cancel()
    waiting?.timer = timer(of: present.number)
  }

  private func stopWaiting() {
    guard let ended = waiting.take() else { return }
    ended.timer.cancel()
    ended.caller.resume()
  }

  func end() {
    isOver = true
    endDeliveries()
    stopWaiting()
  }

  // MARK: Settings

  /// Declares the settings and emits changed values; `isQuiet` if the caller reports the settings.
  private func update(isQuiet: Bool = false) {
    guard !list.isReading else { return }
    let entries = entries
    let before = declarations
    declarations = entries.map(\.declaration)
    if declarations != before, !isQuiet { hasChanged() }
    for (declaration, value) in entries {
      guard let value, values[declaration.id] != value else { continue }
      values[declaration.id] = value
      emitter.report(.settingChanged(declaration.id, value))
    }
  }

  private typealias Entry = (declaration: SettingDeclaration, value: SettingValue?)

  private var entries: [Entry] {
    var entries = presetEntries
    for index in services.outputs.indices { entries += outputEntry(index) }
    for index in services.inputs.indices { entries += inputEntries(index) }
    if let isMuted = microphone?.isMuted { entries.append((.microphoneMuted, .toggle(isMuted))) }
    if let asha { entries.append((.asha, .text(asha.displayText))) }
    return entries
  }

  /// The identifier of the preset, which is that of one side if the aids have independent presets.
  private var presetID: SettingID {
    features?.hasIndependentPresets == true ? side.map(SettingID.preset(of:)) ?? .preset : .preset
  }

  private var presetEntries: [Entry] {
    guard !list.presets.isEmpty else { return [] }
    var entries: [Entry] = [
      (.preset(presetID, list.choices.map { ($0.id, $0.preset.title) }), list.value)
    ]
    if let active = list.activePreset, active.isWritable, features?.hasWritableNames == true {
      entries.append((.presetName, .text(displayable(active.name))))
    }
    return entries
  }

  private func outputID(_ index: Int) -> SettingID {
    if services.outputs.count == 1, let side { return .offset(of: side) }
    if let side = outputSides[index], outputSides.values.filter({ $0 == side }).count == 1 {
      return .offset(of: side)
    }
    return SettingID(rawValue: "offset-\(index + 1)")
  }

  private func outputEntry(_ index: Int) -> [Entry] {
    guard let state = outputs[index] else { return [] }
    return [(.offset(outputID(index)), .level(Int(state.offset)))]
  }

  /// Returns the beginning of an input's identifiers, such as "input-ambient".
  private func inputName(_ index: Int) -> String {
    let type = inputTypes[index] ?? .unspecified
    let same = services.inputs.indices.filter { (inputTypes[$0] ?? .unspecified) == type }
    let name = "input-\(type.name)"
    return same.count == 1 ? name : "\(name)-\((same.firstIndex(of: index) ?? 0) + 1)"
  }

  private func inputEntries(_ index: Int) -> [Entry] {
    guard let state = inputs[index] else { return [] }
    let name = inputName(index)
    let described = inputTitles[index] ?? ""
    let title = described.isEmpty ? (inputTypes[index] ?? .unspecified).title : described
    var entries: [Entry] = []
    if let gain = inputGains[index], state.hasManualGain {
      entries.append((.inputGain(name, title, gain), .level(Int(state.gain))))
    }
    if let isMuted = state.isMuted {
      entries.append((.inputMuted(name, title), .toggle(isMuted)))
    }
    if let isAutomatic = state.isAutomatic {
      entries.append((.inputAutomatic(name, title), .toggle(isAutomatic)))
    }
    return entries
  }

  // MARK: Commands

  /// Returns whether this aid has a setting, or the setting belongs to the aid on the other side.
  func has(_ id: SettingID) -> Bool {
    declarations.contains { $0.id == id } || side.map { id.isOfOther(than: $0) } ?? false
  }

  func set(_ id: SettingID, to value: SettingValue) async throws(HeadphoneError) {
    if let side, id.isOfOther(than: side) { return }
    guard let declaration = declarations.first(where: { $0.id == id }) else {
      throw .unsupported(id.displayText)
    }
    guard declaration.accepts(value) else { throw .badArgument("\(id.rawValue): \(value.text)") }
    switch (id, value) {
    case (presetID, .choice(let choice)): try await activate(choice)
    case (.presetName, .text(let name)): try await rename(to: name)
    case (.microphoneMuted, .toggle(let isMuted)): try await mute(isMuted)
    default:
      for (index, output) in services.outputs.enumerated() where outputID(index) == id {
        guard case .level(let level) = value, let offset = Int16(exactly: level) else { continue }
        try await send(output.state, output.control, { self.outputs[index] }) {
          $0.offset == offset ? nil : $0.request(offset: offset)
        }
      }
      for (index, input) in services.inputs.enumerated() {
        let name = inputName(index)
        guard id.rawValue.hasPrefix(name + "-") else { continue }
        let part = id.rawValue.dropFirst(name.count + 1)
        try await send(input.state, input.control, { self.inputs[index] }) { state in
          switch (part, value) {
          case ("gain", .level(let level)):
            Int8(exactly: level).flatMap { state.gain == $0 ? nil : state.request(gain: $0) }
          case ("muted", .toggle(let isOn)):
            state.isMuted == isOn ? nil : state.request(isMuted: isOn)
          case ("automatic", .toggle(let isOn)):
            state.isAutomatic == isOn ? nil : state.request(isAutomatic: isOn)
          default: nil
          }
        }
      }
    }
  }

  private func activate(_ choice: String) async throws(HeadphoneError) {
    guard let presets = services.presets, let control = presets.control,
      let active = presets.active,
      let preset = list.choices.first(where: { $0.id == choice })?.preset
    else { throw .unsupported("preset \"\(displayable(choice))\"") }
    // In a synchronised pair, the other aid may already have passed the preset on.
    guard list.active != preset.index else { return }
    let isSynchronised = features?.kind == .binaural && features?.synchronisesPresets == true
    let request = PresetRequest.activate(preset.index, isSynchronised: isSynchronised)
    do throws(HeadphoneError) {
      try await write(request.encoded(), to: control, by: clock)
    } catch .gatt(.att(let error)) where error.code == PresetError.synchronisationNotSupported {
      try await write(
        PresetRequest.activate(preset.index).encoded(), to: control, by: clock)
    } catch .gatt(.att(let error)) where PresetError.meansOutdated(error.code) {
      // The list of presets has changed.
      try await readPresets(control)
      update()
      throw .unsupported("preset \"\(preset.title)\" now")
    }
    // Some aids do not notify the change, others take long.
    if list.active != preset.index { receive(active: try await read(active)) }
    await wait { $0.active == preset.index }
    if list.active != preset.index { receive(active: try await read(active)) }
    guard list.active == preset.index else { throw .noResponse }
  }

  private func read(_ characteristic: Characteristic) async throws(HeadphoneError) -> Bytes {
    try await gatt { client throws(GATTError) in try await client.read(characteristic.handle) }
  }

  private func rename(to name: String) async throws(HeadphoneError) {
    guard let control = services.presets?.control, let index = list.active,
      list.activePreset?.isWritable == true
    else { throw .unsupported("name of this preset") }
    try await write(PresetRequest.writeName(index, name).encoded(), to: control, by: clock)
    await wait { $0.activePreset?.name == name }
    if list.activePreset?.name != name {
      try await readPresets(control)
      update()
    }
    guard list.activePreset?.name == name else { throw .noResponse }
  }

  private func mute(_ isMuted: Bool) async throws(HeadphoneError) {
    guard let microphone = services.microphone, microphone.canWrite else {
      throw .unsupported("mute of its microphone")
    }
    try await write(MicrophoneMute(isMuted).encoded(), to: microphone, by: clock)
    try await readAgain(microphone)
  }

  /// Writes the request for a state to its control point.
  ///
  /// If the change counter is outdated, the state is read, and the request repeated if still
  /// needed.
  private func send<State: CountedState>(
    _ state: Characteristic, _ control: Characteristic, _ present: () -> State?,
    _ request: (State) -> [UInt8]?
  ) async throws(HeadphoneError) {
    guard let bytes = present().flatMap(request) else { return }
    do throws(HeadphoneError) {
      try await write(bytes, to: control, by: clock)
    } catch .gatt(.att(let error)) where error.code == VolumeState.invalidCounter {
      try await readAgain(state)
      guard let again = present().flatMap(request) else { return }
      try await write(again, to: control, by: clock)
    }
    // The state is read because it, not the command, tells the result.
    try await readAgain(state)
  }

  private func readAgain(_ state: Characteristic) async throws(HeadphoneError) {
    apply(try await read(state), of: state)
    update()
  }
}
