internal import BluetoothCodec
package import Companion
internal import HeadphoneProtocols
package import JSON

/// The report of `earshot scan` and `earshot devices`.
package struct HeadphonesReport: ObjectReport, Hashable {
  private let headphones: [HeadphoneState]

  package init(_ headphones: some Sequence<HeadphoneState>) { self.headphones = Array(headphones) }

  /// Creates the report of known headphones, in the given order, without signal strengths.
  package init(known: [KnownHeadphone]) { headphones = known.map(HeadphoneState.init) }

  package var text: String { headphones.map(Self.line).joined(separator: "\n") }

  /// Returns the text, without a signal column for known headphones on a terminal.
  package func text(_ style: TextStyle) -> String {
    guard style != .plain, !headphones.isEmpty else { return text }
    return style.table(
      ["id", "signal", "name", "battery"],
      headphones.map { headphone in
        [
          headphone.id.rawValue, headphone.rssi.map { "\($0) dBm" } ?? "",
          displayable(headphone.name),
          headphone.onlyCharge.map(overallChargeText)
            ?? headphone.battery?.value.displayText(isOnlyOne: headphone.hasOneBattery) ?? "",
        ]
      }, omitsEmpty: true)
  }

  /// Returns the heading of lines that are written one by one, on a terminal.
  package static func heading(_ style: TextStyle) -> String? {
    style == .plain ? nil : style.paint("ID              SIGNAL  NAME  (BATTERY)", .label)
  }

  package static func line(_ headphone: HeadphoneState) -> String {
    let signal = headphone.rssi.map { "\($0) dBm" } ?? "--"
    let padding = String(repeating: " ", count: max(0, 8 - signal.count))
    let battery =
      headphone.onlyCharge.map { "  (\(overallChargeText($0)))" }
      ?? headphone.battery.map {
        "  (\($0.value.displayText(isOnlyOne: headphone.hasOneBattery)))"
      } ?? ""
    return "\(headphone.id.rawValue)  \(padding)\(signal)  \(displayable(headphone.name))\(battery)"
  }

  package static let schemaName = SchemaName(
    "headphones", "`earshot scan --json` and `earshot devices --json`")

  package static let properties: [Property<Self>] = [
    Property("headphones", { $0.headphones.map(Entry.init) })
  ]

  private struct Entry: JSONObject {
    let headphone: HeadphoneState

    static let properties: [Property<Self>] = [
      Property("id", \.headphone.id.rawValue),
      Property("name", \.headphone.name),
      Property("address", \.headphone.address.address),
      Property("addressType", \.headphone.address.kind),
      Property(
        "publicAddress", \.headphone.publicAddress, matching: BluetoothAddress.pattern,
        "that of its audio side"),
      Property("rssi", \.headphone.rssi, "dBm"),
      Property("battery", { BatteryLevels($0.headphone) }),
      Property("lastUsed", \.headphone.lastUsed?.secondsSince1970, "seconds since 1970"),
    ]
  }
}
