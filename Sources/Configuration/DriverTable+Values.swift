internal import BluetoothCodec
internal import HeadphoneProtocols
internal import TOML

extension Section {
  /// Reads one of a row's values, or notes a mistake and returns nil.
  mutating func makerField(line: Int) -> MakerField? {
    let kinds = DriverFormat.values.map(\.key.name)
    let named = keys.filter(kinds.contains)
    guard let kind = named.first else {
      note(line, "a value is one of \(kinds.joined(separator: ", "))")
      ignoreRest()
      return nil
    }
    if named.count > 1 { note(line, "\"\(named[0])\" and \"\(named[1])\" are two values") }
    switch kind {
    case "skip": return number(kind, in: 1...255).map { .skip($0) }
    case "battery":
      let names = Part.allCases.map { "\"\($0)\"" }.joined(separator: ", ")
      let part = value(kind, "one of \(names)") { value -> Part? in
        guard case .string(let text) = value else { return nil }
        return Part.allCases.first { "\($0)" == text }
      }
      let absent: UInt8? = number("absent", in: 0...0xFF)
      let hasBit = flag("charging-bit") ?? false
      return part.map { .battery($0, absent: absent, hasChargingBit: hasBit) }
    case "firmware":
      let width = number("width", in: 1...4) ?? 1
      return number(kind, in: 1...8).map { .firmware($0, width: width) }
    case "charging": return isTrue(kind) ? .charging : nil
    case "model": return isTrue(kind) ? .model : nil
    case "keep-rest": return isTrue(kind) ? .keptRest : nil
    case "keep":
      return range(kind, within: 0...0xFF).map {
        .kept(UInt8(clamping: $0.lowerBound)...UInt8(clamping: $0.upperBound))
      }
    case "noise":
      let isWhole = flag("only") ?? false
      return modes(kind).map { isWhole ? .wholeNoise($0) : .noise($0) }
    default: return numberedSetting(kind, line: line).map { .setting($0) }
    }
  }

  private mutating func numberedSetting(_ kind: String, line: Int) -> NumberedSetting? {
    let id = settingID(kind)
    let width = number("bytes", in: 1...2) ?? 1
    let most: UInt16 = width == 1 ? 0xFF : .max
    let widths = width...width
    switch kind {
    case "toggle":
      let on = number("on", in: 0...most) ?? 1
      let off = numbers("off", upTo: most) ?? [0]
      if off.contains(on) { note(line, "on and off have the same number, \(on)") }
      return id.map {
        NumberedSetting(
          SettingDeclaration($0), [(.toggle(true), on)] + off.map { (.toggle(false), $0) },
          widths: widths)
      }
    case "choice":
      let names = texts("names")
      let numbered = numberedNames("numbers", upTo: most)
      let divisor: UInt16 = number("divide", in: 1...0xFFFF) ?? 1
      let modes = ancModes("modes")
      guard let choices = numbered ?? names?.enumerated().map({ ($1, UInt16(clamping: $0)) }),
        !choices.isEmpty, (names == nil) != (numbered == nil)
      else {
        note(line, "a choice needs either \"names\" or \"numbers\"")
        return nil
      }
      if let wrong = choices.map(\.0).first(where: { !Self.isName($0) }) {
        note(line, Self.nameMistake(wrong))
        return nil
      }
      guard Set(choices.map(\.0)).count == choices.count,
        Set(choices.map(\.1)).count == choices.count, choices.count <= 256
      else {
        note(line, "two choices have the same name or number")
        return nil
      }
      return id.map {
        NumberedSetting(
          SettingDeclaration($0, .choices(choices.map(\.0)), modes: modes),
          choices.map { (.choice($0.0), $0.1) }, widths: widths, unit: divisor)
      }
    default:
      let bounds = range("range", within: 0...Int(most))
      let step = number("step", in: 1...0xFFFF) ?? 1
      let unit = text("unit") ?? ""
      let modes = ancModes("modes")
      guard let bounds else {
        if self.line(of: "range") == nil { note(line, "a level needs \"range\", such as [0, 15]") }
        return nil
      }
      let levels = SettingRange(bounds, step: step, unit: unit)
      return id.map {
        NumberedSetting(
          SettingDeclaration($0, .level(levels), modes: modes),
          bounds.map { (.level($0), UInt16(clamping: $0)) }, widths: widths)
      }
    }
  }

  // MARK: Parts

  /// Reads hexadecimal bytes, such as "01 0A".
  mutating func bytes(_ key: String) -> [UInt8]? {
    value(key, "bytes such as \"01 0A\"") { value in
      guard case .string(let text) = value else { return nil }
      let words = text.split(separator: " ")
      let bytes = words.compactMap { $0.count == 2 ? UInt8($0, radix: 16) : nil }
      return bytes.count == words.count && bytes.count <= 4096 ? bytes : nil
    }
  }

  private mutating func isTrue(_ key: String) -> Bool {
    value(key, "true, or nothing at all") { $0 == .bool(true) ? true : nil } ?? false
  }

  private mutating func range(_ key: String, within bounds: ClosedRange<Int>) -> ClosedRange<Int>? {
    value(key, "the lowest and highest number, at most 1000 apart, such as [0, 15]") { value in
      guard let numbers = value.integers, numbers.count == 2, numbers[0] <= numbers[1],
        numbers.allSatisfy(bounds.contains), numbers[1] - numbers[0] <= 1000
      else { return nil }
      return numbers[0]...numbers[1]
    }
  }

  private mutating func numbers(_ key: String, upTo most: UInt16) -> [UInt16]? {
    value(key, "a number from 0 to \(most), or a list of such") { $0.numbers(upTo: most) }
  }

  private mutating func numberedNames(_ key: String, upTo most: UInt16) -> [(String, UInt16)]? {
    value(key, "a table such as { flat = 0, bass = 3 }") { value in
      guard case .table(let table) = value else { return nil }
      let names = table.entries.compactMap { entry -> (String, UInt16)? in
        guard let numbers = entry.node.value.numbers(upTo: most), numbers.count == 1 else {
          return nil
        }
        return (entry.key, numbers[0])
      }
      return names.count == table.entries.count ? names : nil
    }
  }

  private mutating func modes(_ key: String) -> [UInt8: ANCMode]? {
    let all = ANCMode.allCases.map(\.name).joined(separator: ", ")
    return value(key, "a table of \(all) with different bytes, such as { off = 0 }") { value in
      guard case .table(let table) = value, !table.entries.isEmpty else { return nil }
      var modes: [UInt8: ANCMode] = [:]
      for entry in table.entries {
        guard let mode = ANCMode.allCases.first(where: { $0.name == entry.key }),
          let numbers = entry.node.value.numbers(upTo: 0xFF)
        else { return nil }
        for number in numbers where modes.updateValue(mode, forKey: UInt8(number)) != nil {
          return nil
        }
      }
      return modes
    }
  }

  private mutating func ancModes(_ key: String) -> [ANCMode]? {
    let all = ANCMode.allCases.map { "\"\($0.name)\"" }.joined(separator: ", ")
    return value(key, "a list of \(all)") { value in
      guard let texts = value.texts else { return nil }
      let found = texts.compactMap { text in ANCMode.allCases.first { $0.name == text } }
      return found.count == texts.count ? found : nil
    }
  }

  /// Reads the name of a setting; a name close to that of a known setting is a typing error.
  private mutating func settingID(_ key: String) -> SettingID? {
    guard let text = text(key), let line = line(of: key) else { return nil }
    guard Self.isName(text) else {
      note(line, Self.nameMistake(text))
      return nil
    }
    let known = SettingID.known.map(\.rawValue)
    if !known.contains(text), let near = known.nearest(to: text) {
      note(line, "there is no setting \"\(text)\"; did you mean \"\(near)\"?")
      return nil
    }
    if text == SettingID.noiseMode.rawValue {
      note(line, "noise control is the value \"noise\"")
      return nil
    }
    return SettingID(rawValue: text)
  }

  private static func isName(_ text: String) -> Bool {
    let words = text.split(separator: "-", omittingEmptySubsequences: false)
    return text.utf8.count <= 40
      && words.allSatisfy { word in
        !word.isEmpty
          && word.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
      }
  }

  private static func nameMistake(_ text: String) -> String {
    "a name has lower-case words with hyphens, such as \"game-mode\", not \"\(displayable(text))\""
  }
}

extension TOMLValue {
  fileprivate var integers: [Int]? {
    guard case .array(let items) = self else { return nil }
    let numbers = items.compactMap { item -> Int? in
      if case .integer(let number) = item.value { number } else { nil }
    }
    return numbers.count == items.count ? numbers : nil
  }

  /// Returns the numbers of a list or one number, or nil if one is not from 0 to `most`.
  fileprivate func numbers(upTo most: UInt16) -> [UInt16]? {
    let all: [Int]
    if case .integer(let number) = self {
      all = [number]
    } else {
      guard let list = integers, !list.isEmpty, list.count <= 256 else { return nil }
      all = list
    }
    guard all.allSatisfy({ (0...Int(most)).contains($0) }) else { return nil }
    return all.map { UInt16(clamping: $0) }
  }
}
