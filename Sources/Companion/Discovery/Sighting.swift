package import HeadphoneProtocols

/// The last time when a bud reported itself, and its place.
package struct Sighting: Hashable, Sendable {
  package enum Place: String, Hashable, Sendable {
    case worn
    case takenOff = "taken-off"
    case charging
  }

  package var at: Timestamp
  package var place: Place?

  package init(at timestamp: Timestamp, place: Place?) {
    at = timestamp
    self.place = place
  }
}

/// The last sightings of both buds; an over-ear headphone only has the left one.
package struct BudSightings: Hashable, Sendable {
  private var left: Sighting?
  private var right: Sighting?

  package init() {}

  package subscript(side: Side) -> Sighting? {
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
  /// Returns, for example, "at 14:02, while worn", with the date if it is not `today`.
  func displayText(today: String) -> String {
    let day = at.date == today ? "" : "on \(at.date) "
    return "\(day)at \(at.clock.prefix(5))" + (place.map { ", \($0.displayText)" } ?? "")
  }
}

extension Sighting.Place {
  fileprivate var displayText: String {
    switch self {
    case .worn: "while worn"
    case .takenOff: "out of the ear"
    case .charging: "while charging"
    }
  }
}
