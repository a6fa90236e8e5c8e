public import HeadphoneProtocols

/// When a bud reported itself last, and where it was then.
public struct Sighting: Hashable, Sendable {
  /// What the headphone said of the bud.
  public enum Place: String, Hashable, Sendable {
    case worn
    case takenOff = "taken-off"
    case charging
  }

  /// When it was.
  public var at: Timestamp
  /// Nil: the headphone did not say.
  public var place: Place?

  public init(at timestamp: Timestamp, place: Place?) {
    at = timestamp
    self.place = place
  }
}

/// The last sightings of the two buds; of an over-ear headphone the left one's is the whole's.
public struct BudSightings: Hashable, Sendable {
  private var left: Sighting?
  private var right: Sighting?

  public init() {}

  /// The last one of a bud; nil: it was never heard.
  public subscript(side: Side) -> Sighting? {
    get {
      switch side {
      case .left: left
      case .right: right
      }
    }
    set {
      switch side {
      case .left: left = newValue
      case .right: right = newValue
      }
    }
  }
}

extension HeadphoneState {
  /// Notes the buds of which an event or an advertisement reports something.
  mutating func sight(
    charges: [Part: Battery] = [:], wearing reported: Wearing? = nil, at timestamp: Timestamp
  ) {
    let buds: [(Side, Part, Bool?, Bool?)] = [
      (.left, .left, reported?.left, wearing?.left),
      (.right, .right, reported?.right, wearing?.right),
    ]
    for (side, part, isReportedWorn, isWorn) in buds {
      guard charges[part]?.level != nil || isReportedWorn != nil else { continue }
      let isCharging = battery?.value[part]?.isCharging == true
      let place: Sighting.Place? =
        isCharging ? .charging : isWorn.map { $0 ? .worn : .takenOff }
      sightings[side] = Sighting(at: timestamp, place: place)
    }
  }
}

extension Sighting {
  /// "at 14:02, while worn"; with the day, if that is another than today.
  ///
  /// - Parameter today: "2026-11-21".
  func displayText(today: String) -> String {
    let day = at.date == today ? "" : "on \(at.date) "
    return "\(day)at \(at.clock.prefix(5))" + (place.map { ", \($0.displayText)" } ?? "")
  }
}

extension Sighting.Place {
  /// "while worn".
  fileprivate var displayText: String {
    switch self {
    case .worn: "while worn"
    case .takenOff: "out of the ear"
    case .charging: "while charging"
    }
  }
}
