package import BluetoothCodec
package import Companion
package import HeadphoneProtocols
package import JSON

// Values that occur in several reports.

extension ANCMode: JSONWord {}
extension AudioLink: JSONWord {}
extension AudioMatch.Rule: JSONWord {}
extension Check: JSONWord {}
extension CorrectionChoice.Place: JSONWord {}
extension CorrectionStatus.Name: JSONWord {}
extension DiagnosticResult.State: JSONWord {}
extension InterruptedUpdate.File: JSONWord {}
extension PairedDeviceAction: JSONWord {}
extension Part: JSONWord {}
extension RouteState.Name: JSONWord {}
extension SecurityFinding.Part: JSONWord {}
extension SecurityFinding.Verdict: JSONWord {}
extension Side: JSONWord {}

extension LogLine.Level: JSONWord {
  package var name: String { "\(self)" }
}

extension FirmwareStatus.State: JSONWord {
  package var name: String { "\(self)" }
}

extension FirmwareUpdate.Phase: JSONWord {
  package var name: String { "\(self)" }
}

extension LinkState.Name: JSONWord {
  package static var schema: JSONSchema {
    .defined(.init(SchemaName("link-state", "The state of a control link."), words))
  }
}

extension PeerAddress.Kind: JSONWord {
  package static var schema: JSONSchema {
    .defined(.init(SchemaName("address-type", "`BR/EDR`: of the audio side's link."), words))
  }
}

extension BluetoothAddress: JSONRepresentable {
  static let pattern = "^([0-9A-F]{2}:){5}[0-9A-F]{2}$"

  package static var schema: JSONSchema { .string(pattern: pattern) }
  package var json: JSON { .string(description) }
}

extension BluetoothUUID: JSONRepresentable {
  package static var schema: JSONSchema {
    .string(pattern: "^([0-9A-F]{4}|[0-9A-F]{8}|[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12})$")
  }

  package var json: JSON { .string("\(self)") }
}

extension BroadcastID: JSONRepresentable {
  package static var schema: JSONSchema { .string(pattern: "^[0-9A-F]{6}$") }
  package var json: JSON { .string(displayText) }
}

extension FirmwareVersion: JSONRepresentable {
  package static var schema: JSONSchema { .string(pattern: #"^\d+\.\d+\.\d+$"#) }
  package var json: JSON { .string("\(self)") }
}

extension PairedDevice: NamedJSONObject {
  package static let schemaName = SchemaName(
    "paired-device", "A phone or computer that the headphone is paired with; null: not reported.")

  package static let properties: [Property<Self>] = [
    Property("name", \.name),
    Property("address", \.address),
    Property("connected", \.isConnected),
    Property("playing", \.isPlaying),
    Property("preferred", \.isPreferred),
    Property("thisComputer", \.isThisComputer),
  ]
}

extension SettingValue: JSONRepresentable {
  package static var schema: JSONSchema {
    let items = JSONSchema.one(of: [.number(), PairedDevice.schema])
    return .defined(
      .init(
        SchemaName(
          "setting-value", "A Boolean, a word, a number, gains in dB, or a list of devices."),
        .one(of: [.boolean, .string(), .number(), .array(items)])))
  }

  package var json: JSON {
    switch self {
    case .toggle(let isOn): .bool(isOn)
    case .choice(let word), .text(let word): .string(word)
    case .level(let level): JSON(level)
    case .bands(let tenths): .array(tenths.map { .number(Double($0) / 10) })
    case .pairedDevices(let devices): devices.json
    case .done: .null
    }
  }
}

extension SoundValue: JSONRepresentable {
  package static var schema: JSONSchema { .one(of: [.string(), .integer()]) }

  package var json: JSON {
    switch self {
    case .word(let word): .string(word)
    case .number(let number): JSON(number)
    }
  }
}

extension Timestamp {
  var secondsSince1970: Int64 { milliseconds / 1000 }
}

struct BatteryLevels: NamedJSONObject, Hashable {
  /// The battery of each part; parts without an entry are unknown.
  var parts: [Part: Battery]
  /// The charge that bluetoothd reports, if no part's charge is known.
  var overall: UInt8?

  init(_ headphone: HeadphoneState) {
    parts = headphone.battery?.value ?? [:]
    overall = headphone.onlyCharge
  }

  static let schemaName = SchemaName(
    "battery-levels", "In %; null: unknown. `left`: also of a headphone with a single battery.")

  static let properties =
    Part.allCases.map { part in
      Property<Self>(part.name, { $0.parts[part]?.level }, in: .percent)
    } + [
      Property("charging", \.charging, "the parts that charge"),
      Property(
        "overall", \.overall, in: .percent,
        "one figure for all parts, as bluetoothd reports it, where no part's is known"),
    ]

  private var charging: [Part] { Part.allCases.filter { parts[$0]?.isCharging == true } }
}

struct Equaliser: NamedJSONObject, Hashable {
  var preset: String?
  var bands: [BandGain]?

  init(_ headphone: HeadphoneState) {
    preset = headphone.name(of: .equaliserPreset)
    bands = headphone.gainsInForce
  }

  static let schemaName = SchemaName("equaliser", "An equaliser's sound.")

  static let properties: [Property<Self>] = [
    Property("preset", \.preset, "null: unknown"),
    Property(
      "bands", \.bands,
      "dB, from low to high; null: unknown, as those of a preset of the headphone's own"),
  ]
}
