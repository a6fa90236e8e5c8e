internal import BluetoothCodec
public import Companion
internal import HeadphoneProtocols
internal import TerminalUI

extension Configuration {
  /// The configuration as a file: every key with its value, as `earshot config show` prints it.
  public var toml: String {
    var lines: [String] = []
    func table(_ name: String, _ rows: [(String, String)]) {
      lines += (lines.isEmpty ? [] : [""]) + ["[\(name)]"] + rows.map { "\($0.0) = \($0.1)" }
    }
    table(
      "screen",
      [
        ("theme", quoted(screen.theme.rawValue)), ("ground", quoted(screen.ground.rawValue)),
        ("symbols", quoted(screen.symbols.rawValue)), ("mouse", "\(screen.hasMouse)"),
      ])
    table("battery", [("low", "\(thresholds.low)"), ("critical", "\(thresholds.critical)")])
    table(
      "connection",
      [("auto", quoted(connection.rule.name))]
        + (connection.adapter.map { [("adapter", quoted($0))] } ?? []))
    table("firmware", [("keys", list(firmware.keyFiles.map(\.path)))])
    table("auto-pause", [("mode", quoted(autoPause.rawValue))])
    table(
      "hooks", Hook.allCases.compactMap { hook in hooks[hook].map { (hook.rawValue, $0.toml) } })
    for scene in scenes { table("scenes.\(key(scene.name))", scene.rows) }
    table("keys", keyBindings.map { (key($0.command), list($0.keys)) })
    for named in profiles {
      let name = "profiles.\(key(named.name))"
      table(name, named.profile.rows + [("firmware-keys", list(named.keyFiles.map(\.path)))])
      table("\(name).battery", named.profile.battery.rows)
      table("\(name).information", named.profile.information.rows)
      table("\(name).events", named.profile.events.rows)
    }
    return lines.joined(separator: "\n")
  }
}

extension HookCommand {
  fileprivate var toml: String {
    switch self {
    case .shell(let line): quoted(line)
    case .program(let words): list(words)
    }
  }
}

extension Scene {
  /// The lines of its table.
  fileprivate var rows: [(String, String)] {
    wishes.map { (key($0.setting.rawValue), Int($0.word).map { "\($0)" } ?? quoted($0.word)) }
      + (output.map { [("output", quoted($0))] } ?? [])
      + (profile.map { [("profile", quoted($0))] } ?? [])
      + (when.map { [("when", quoted($0))] } ?? [])
  }

  /// The table that makes it, to be added to a configuration.
  public var toml: String {
    (["[scenes.\(key(name))]"] + rows.map { "\($0.0) = \($0.1)" }).joined(separator: "\n")
  }
}

extension ConnectionPreferences.Rule {
  /// The value of `auto`.
  fileprivate var name: String {
    switch self {
    case .lastUsed: "last-used"
    case .never: "never"
    case .matching(let selector): selector
    }
  }
}

extension DeviceProfile {
  /// The keys and values of a profile's table.
  fileprivate var rows: [(String, String)] {
    let control = controlServices.first
    let uuids: [(String, BluetoothUUID?)] = [
      ("service", control?.service), ("command", control?.command), ("event", control?.event),
      ("anc-mode", control?.ancMode), ("eq-preset", control?.eqPreset),
      ("firmware-data", control?.firmwareData),
    ]
    let known = Features.named.filter { features.contains($0.feature) }.map(\.name)
    let centres = eqCentres.map { "\($0)" }.joined(separator: ", ")
    return [("name", quoted(name))] + uuidRows(uuids) + [("features", list(known))]
      + (eqCentres.isEmpty ? [] : [("eq-bands", "[\(centres)]")])
  }
}

extension BatteryUUIDs {
  /// The keys and values of `[profiles.NAME.battery]`.
  fileprivate var rows: [(String, String)] {
    uuidRows([("service", service), ("level", level), ("format", format)])
  }
}

extension InformationUUIDs {
  /// The keys and values of `[profiles.NAME.information]`.
  fileprivate var rows: [(String, String)] {
    uuidRows([
      ("service", service), ("manufacturer", manufacturer), ("model", model), ("serial", serial),
      ("firmware", firmware), ("hardware", hardware),
    ])
  }
}

extension EventLayout {
  /// The keys and values of `[profiles.NAME.events]`.
  fileprivate var rows: [(String, String)] {
    Kind.allCases.compactMap { kind in
      guard let event = events[kind] else { return nil }
      guard let places = event.places else { return (kind.rawValue, "\(event.code)") }
      let list = places.map { "\($0)" }.joined(separator: ", ")
      return (kind.rawValue, "{ code = \(event.code), at = [\(list)] }")
    }
  }
}

/// The keys and quoted UUIDs, without those that are absent.
private func uuidRows(_ uuids: [(String, BluetoothUUID?)]) -> [(String, String)] {
  uuids.compactMap { key, uuid in
    uuid.flatMap { $0 == .absent ? nil : (key, quoted("\($0)")) }
  }
}

/// An array of strings in TOML.
private func list(_ texts: [String]) -> String {
  "[" + texts.map(quoted).joined(separator: ", ") + "]"
}

/// A key in TOML, quoted if necessary.
private func key(_ name: String) -> String {
  let isBare = name.utf8.allSatisfy { byte in
    let scalar = Unicode.Scalar(byte)
    return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-"
      || scalar == "_"
  }
  return isBare && !name.isEmpty && name.utf8.allSatisfy { $0 < 0x80 } ? name : quoted(name)
}

/// A basic string in TOML.
private func quoted(_ text: String) -> String {
  var quoted = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": quoted += "\\\(scalar)"
    case _ where scalar.properties.generalCategory == .control:
      let digits = String(scalar.value, radix: 16)
      quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: quoted.unicodeScalars.append(scalar)
    }
  }
  return quoted + "\""
}
