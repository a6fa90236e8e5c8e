internal import BluetoothCodec

extension SoundcoreProtocol {
  mutating func apply(
    _ frame: SoundcoreFrame, to message: inout ParsedMessage
  ) throws(MalformedBytes) {
    guard frame.sender == .headphone else {
      throw MalformedBytes(
        "Soundcore frame", at: 0, .badValue(UInt64(frame.sender.prefix.first ?? 0)))
    }
    message.responses = [ResponseID(frame.command)]
    // An acknowledgement has no body.
    if !frame.body.isEmpty { try apply(frame.command, Array(frame.body)) }
    if frame.command == SoundcoreCommand.pairedDevices,
      reported.isDeviceCommandOpen || deviceFrames > 0
    {
      message.responses = []
    }
  }

  private mutating func apply(_ command: UInt16, _ body: [UInt8]) throws(MalformedBytes) {
    switch command {
    case SoundcoreCommand.state: try apply(state: body)
    case SoundcoreCommand.battery where layout?.battery != nil || isOnLE:
      reported.apply(levels(body.prefix(parts(body.count).count)))
    case SoundcoreCommand.charging where layout?.battery != nil || isOnLE:
      charging = body.map { [0: false, 1: true][$0] }
      var batteries = reported.batteries
      for (part, isCharging) in zip(parts(body.count), charging) {
        batteries[part]?.isCharging = isCharging
      }
      reported.apply(batteries)
    case SoundcoreCommand.firmware: try apply(firmware: body)
    case SoundcoreCommand.ldac, SoundcoreCommand.setLDAC:
      SoundcoreSetting.reportedLDAC.apply(body, to: &reported)
    case SoundcoreCommand.soundModes:
      apply(modes: body)
      reportedWidth = body.count
    case SoundcoreCommand.pairedDevices: try apply(devices: body[...])
    default: reported.skip("message \(hexadecimal(command, width: 4))")
    }
  }

  // MARK: State

  /// Applies the state: model, firmware, serial number, batteries, equaliser and settings.
  ///
  /// Sound modes in the state are used until 0601 has been answered. If the state does not have the
  /// layout of its model, only its firmware and serial number are used.
  private mutating func apply(state: [UInt8]) throws(MalformedBytes) {
    (hasResponded, self.state, hasEntries) = (true, state, false)
    if let entries = SoundcoreEntries(state) { return apply(entries) }
    (layout, number) = findLayout(in: state)
    if !isStateKnown { reported.skip("state of \(state.count) bytes") }
    guard let layout else { return }
    func field(_ place: Int?, _ count: Int) -> [UInt8]? {
      place.map { Array(state[$0..<$0 + count]) }
    }
    firmware = layout.versions(in: state).first.map { textFromAir($0[...]) } ?? firmware
    serial = field(layout.serial, 16).map { textFromAir($0[...]) } ?? serial
    let parts: [Part] = layout.hasBuds ? [.left, .right] : [.left]
    if let raw = field(layout.charging, parts.count) {
      charging = raw.map { [0: false, 1: true][$0] }
    }
    if let raw = field(layout.battery, parts.count) {
      var levels = levels(raw[...], of: layout.hasBuds ? state : [])
      if let level = field(layout.caseLevel, 1)?.first, level != Self.absent {
        levels.add(.case, level, scale: layout.caseScale)
      }
      reported.apply(levels)
    }
    if let bytes = field(layout.eq, layout.eqBytes) {
      apply(
        try SoundcoreEQ(
          decoding: bytes[...], buds: layout.hasBuds ? 2 : 1, width: layout.eqWidth))
    }
    if reportedWidth == nil, let bytes = field(layout.soundModes, layout.modesWidth) {
      apply(modes: bytes)
    }
    for press in layout.presses { press.apply(state, to: &reported) }
    for setting in layout.settings { setting.apply(state, to: &reported) }
  }

  /// Returns the layout that the state fits, if any, and the number of the model.
  private func findLayout(in state: [UInt8]) -> (SoundcoreLayout?, number: UInt16?) {
    let own = catalog.soundcore(service: modelService, stateLength: state.count)?.soundcoreState
    let named = serviceNumber.flatMap { SoundcoreLayout.models[$0] == nil ? nil : $0 }
    let number = named ?? SoundcoreLayout.number(in: state) ?? serviceNumber
    let layouts = [own, number.flatMap { SoundcoreLayout.models[$0] }].compactMap(\.self)
    return ((layouts + SoundcoreLayout.withoutModel).first { $0.fits(state) }, number)
  }

  /// Applies a state of entries; on the Liberty 5, only those before the case, because nobody has
  /// compared the others.
  private mutating func apply(_ entries: SoundcoreEntries) {
    (hasEntries, layout) = (true, nil)
    number = entries.serial.flatMap { SoundcoreModels.number(inSerial: $0) } ?? serviceNumber
    firmware = entries.firmware.first.map { textFromAir($0[...]) } ?? firmware
    serial = entries.serial.map { textFromAir($0[...]) } ?? serial
    var levels = BatteryLevels("Soundcore battery")
    for (part, kind) in [(Part.left, SoundcoreEntries.Kind.left), (.right, .right)]
    where entries.isPresent(part.rawValue) {
      guard let value = entries[kind, atLeast: 2], value[1] != Self.absent else { continue }
      levels.add(part, value[1], isCharging: [0: false, 1: true][value[0]])
    }
    let isPro = number == 0x1203 || number == 0x1204
    if isPro, let value = entries[.case, atLeast: 2], value[1] != Self.absent {
      levels.add(.case, value[1])
    }
    reported.apply(levels)
    if isPro, let raw = entries[.mode, atLeast: 1]?.first {
      hasAdaptive = true
      apply(mode: raw)
    }
  }

  // MARK: Batteries

  private func parts(_ count: Int) -> [Part] {
    layout?.hasBuds ?? (count > 1) ? [.left, .right] : [.left]
  }

  /// Returns the levels of a report, or of a `state`, in which the level of a bud that is not
  /// connected to the reporting one is old and left out.
  private func levels(_ raw: ArraySlice<UInt8>, of state: [UInt8] = []) -> BatteryLevels {
    var levels = BatteryLevels("Soundcore battery")
    for (index, (part, level)) in zip([Part.left, .right], raw).enumerated()
    where level != Self.absent {
      guard state.isEmpty || state[1] != 0 || state[0] == UInt8(index) else { continue }
      levels.add(
        part, level, isCharging: index < charging.count ? charging[index] : nil,
        scale: layout?.scale ?? .steps(5), at: index)
    }
    return levels
  }

  private static var absent: UInt8 { 0xFF }

  // MARK: Others

  /// Applies the answer to 0105, whose length tells whether it contains one version or two.
  private mutating func apply(firmware body: [UInt8]) throws(MalformedBytes) {
    var reader = ByteReader(body[...], of: "Soundcore firmware")
    var versions = [textFromAir(try reader.read(5))]
    if body.count >= 26 { versions.append(textFromAir(try reader.read(5))) }
    serial = textFromAir(try reader.read(16))
    firmware = versions.joined(separator: " / ")
  }

  private mutating func apply(_ value: SoundcoreEQ) {
    if value.preset == .custom { ownGains = value.tenths }
    if eq != value { reported.note(.eqChanged(value.preset, bands: value.gains)) }
    eq = value
  }

  /// Applies the sound modes; the meaning of the bytes after the mode depends on their number.
  private mutating func apply(modes value: [UInt8]) {
    guard let raw = value.first else { return }
    modes = value
    apply(mode: raw)
    guard value.count >= layout?.modesWidth ?? .max else { return }
    for field in fields { field.apply(value, to: &reported) }
  }

  private mutating func apply(mode raw: UInt8) {
    if Int(raw) < SoundcoreSoundModes.modes.count {
      reported.apply(SoundcoreSoundModes.modes[Int(raw)])
    } else if raw == 3, hasAdaptive {
      reported.apply(ANCMode.adaptive)
    } else {
      reported.apply(unnamedMode: raw)
    }
  }

  /// Applies a frame of the list of paired devices, which the last frame completes.
  private mutating func apply(devices body: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(body, of: "Soundcore paired devices")
    let count = try reader.uint8()
    let number = try reader.uint8()
    if number == 1 || number != deviceFrames &+ 1 { (devices, deviceFrames) = ([], 0) }
    // The beginning of the list is missing; the next list contains it.
    guard number == deviceFrames + 1 else { return }
    while !reader.isAtEnd {
      let length = Int(try reader.uint8())
      guard length >= 8 else { throw reader.malformed(.badLength(length)) }
      let isConnected = try reader.flag()
      let address = try reader.address()
      // Padded after a zero, with bytes that are not always zeros.
      let name = try reader.read(length - 8).prefix { $0 != 0 }
      devices.append(PairedDevice(address, name: textFromAir(name), isConnected: isConnected))
    }
    deviceFrames = number
    guard number >= count else { return }
    defer { (devices, deviceFrames) = ([], 0) }
    reported.apply(.pairedDevices(.connect, .disconnect, .forget), .pairedDevices(devices))
  }
}
