internal import BluetoothCodec
public import Companion
internal import HeadphoneProtocols
public import JSON

/// Headphones in range or known: `earshot scan`, `earshot devices`.
///
/// JSON of schema 1: `headphones`, each with `id`, `name`, `address`, `addressType`,
/// `publicAddress`, `rssi` (dBm), `battery` as in `status --json`, and `lastUsed` (seconds since
/// 1970).
public struct HeadphonesReport: Report, Hashable {
  private let headphones: [HeadphoneState]

  /// Discovered headphones, in the given order.
  public init(_ headphones: some Sequence<HeadphoneState>) { self.headphones = Array(headphones) }

  /// Known headphones, in the given order; they have no signal strength.
  public init(known: [KnownHeadphone]) { headphones = known.map(HeadphoneState.init) }

  public var text: String { headphones.map(Self.line).joined(separator: "\n") }

  /// The known headphones have no signal: a terminal gets no column for it.
  public func text(_ style: TextStyle) -> String {
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

  /// The heading of lines that are written one by one.
  public static func heading(_ style: TextStyle) -> String? {
    style == .plain ? nil : style.paint("ID              SIGNAL  NAME  (BATTERY)", .label)
  }

  /// One headphone in one line: identity, signal, name, battery.
  public static func line(_ headphone: HeadphoneState) -> String {
    let signal = headphone.rssi.map { "\($0) dBm" } ?? "--"
    let padding = String(repeating: " ", count: max(0, 8 - signal.count))
    let battery =
      headphone.onlyCharge.map { "  (\(overallChargeText($0)))" }
      ?? headphone.battery.map {
        "  (\($0.value.displayText(isOnlyOne: headphone.hasOneBattery)))"
      } ?? ""
    return "\(headphone.id.rawValue)  \(padding)\(signal)  \(displayable(headphone.name))\(battery)"
  }

  public var json: JSON {
    [
      "schema": 1,
      "headphones": .array(
        headphones.map { headphone in
          [
            "id": .string(headphone.id.rawValue), "name": .string(headphone.name),
            "address": .string(headphone.address.address.description),
            "addressType": .string(headphone.address.kind.name),
            "publicAddress": JSON(headphone.publicAddress), "rssi": JSON(headphone.rssi),
            "battery": (headphone.battery?.value ?? [:]).json(
              overall: headphone.onlyCharge),
            "lastUsed": JSON(headphone.lastUsed.map { $0.milliseconds / 1000 }),
          ]
        }),
    ]
  }
}
