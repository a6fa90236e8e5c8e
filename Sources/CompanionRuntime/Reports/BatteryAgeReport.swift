public import Companion
internal import HeadphoneProtocols
public import JSON

/// How long a full charge has lasted: `earshot battery --history`.
///
/// Text: a sentence, where there are enough discharges, and a line for each month and noise mode. JSON
/// of schema 1: `headphone`, `age` (null: unknown) with `mode`, `minutes`, `discharges` and `before`,
/// and `months` with `month`, `mode`, `minutes` (null: too few) and `discharges`.
public struct BatteryAgeReport: Report, Hashable {
  private let headphone: String
  private let age: BatteryAge?
  private let months: [BatteryMonth]
  private let timestamp: Timestamp

  /// - Parameter timestamp: the present time, in the time zone of the months.
  public init(_ headphone: HeadphoneState, at timestamp: Timestamp) {
    self.headphone = headphone.name
    self.timestamp = timestamp
    age = headphone.charges?.age(preferring: headphone.anc.confirmed, at: timestamp)
    months = headphone.charges?.months(utcOffset: timestamp.utcOffset) ?? []
  }

  public var text: String {
    ([sentence] + rows.map { $0.joined(separator: "  ") }).joined(separator: "\n")
  }

  public func text(_ style: TextStyle) -> String {
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

  public var json: JSON {
    [
      "schema": 1, "headphone": .string(headphone),
      "age": JSON(age) { age in
        [
          "mode": JSON(age.mode?.name), "minutes": JSON(age.now.minutes),
          "discharges": JSON(age.now.discharges), "before": JSON(age.before) { $0.json },
        ]
      },
      "months": .array(months.map(\.json)),
    ]
  }
}

extension BatteryMonth {
  fileprivate var json: JSON {
    [
      "month": .string(month), "mode": JSON(mode?.name), "minutes": JSON(life?.minutes),
      "discharges": JSON(discharges),
    ]
  }
}
