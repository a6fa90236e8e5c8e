package import Companion
internal import HeadphoneProtocols
package import JSON

/// The report of `earshot battery --history`: how long a full charge has lasted.
package struct BatteryAgeReport: ObjectReport, Hashable {
  private let headphone: String
  private let age: BatteryAge?
  private let months: [BatteryMonth]
  private let timestamp: Timestamp

  /// Creates the report; `timestamp` is the current time, in the time zone of the months.
  package init(_ headphone: HeadphoneState, at timestamp: Timestamp) {
    self.headphone = headphone.name
    self.timestamp = timestamp
    age = headphone.charges?.age(preferring: headphone.anc.confirmed, at: timestamp)
    months = headphone.charges?.months(utcOffset: timestamp.utcOffset) ?? []
  }

  package var text: String {
    ([sentence] + rows.map { $0.joined(separator: "  ") }).joined(separator: "\n")
  }

  package func text(_ style: TextStyle) -> String {
    guard style != .plain, !rows.isEmpty else { return text }
    return sentence + "\n"
      + style.table(
        ["month", "noise control", "full charge", "discharges"], rows, omitsEmpty: true)
  }

  private var sentence: String {
    guard let age else {
      return "a full charge: unknown, it takes \(BatteryLife.leastDischarges) comparable discharges"
    }
    return "a full charge \(age.displayText(at: timestamp))"
  }

  private var rows: [[String]] {
    months.map { month in
      [
        month.month, month.mode?.name ?? "", month.life?.displayText ?? "-", "\(month.discharges)",
      ]
    }
  }

  package static let schemaName = SchemaName(
    "battery-history", "`earshot battery --history --json`")

  package static let properties: [Property<Self>] = [
    Property("headphone", \.headphone),
    Property(
      "age", \.age, "by the last discharges; null: they are too few",
      group: [
        Property("mode", \.mode, "null: the headphone reports none"),
        Property("minutes", \.now.minutes, "of a full charge"),
        Property("discharges", \.now.discharges),
        Property("before", \.before, "the first month with a figure"),
      ]),
    Property("months", \.months),
  ]
}

extension BatteryMonth: NamedJSONObject {
  package static let schemaName = SchemaName(
    "battery-month", "The discharges of a month with one noise mode.")

  package static let properties: [Property<Self>] = [
    Property("month", \.month, "such as `2026-03`"),
    Property("mode", \.mode, "null: the headphone reports none"),
    Property("minutes", \.life?.minutes, "of a full charge; null: there are too few discharges"),
    Property("discharges", \.discharges),
  ]
}
