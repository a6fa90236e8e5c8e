public import HeadphoneProtocols

/// The action of each gesture on each bud, as the headphone has confirmed it and as it is asked to
/// be.
///
/// ```swift
/// headphone.touch[.left, .doubleTap].confirmed  // .playPause
/// headphone.touch[.left, .doubleTap].pending    // nil
/// ```
public struct TouchSettings: Hashable, Sendable {
  /// A gesture on a bud: a line of the page of touch actions.
  public struct Place: Hashable, Sendable, CaseIterable {
    public var side: Side
    public var gesture: TouchGesture

    /// All gestures, bud by bud.
    public static let allCases = Side.allCases.flatMap { side in
      TouchGesture.allCases.map { Place(side: side, gesture: $0) }
    }

    /// The line's label: "Left, double tap".
    public var title: String {
      side.name.prefix(1).uppercased() + side.name.dropFirst() + ", \(gesture.title)"
    }
  }

  private var settings: [Place: Setting<TouchAction>] = [:]

  public init() {}

  /// The action of a gesture; unknown until it has been read.
  public subscript(side: Side, gesture: TouchGesture) -> Setting<TouchAction> {
    get { self[Place(side: side, gesture: gesture)] }
    set { self[Place(side: side, gesture: gesture)] = newValue }
  }

  /// The action of a gesture; unknown until it has been read.
  public subscript(place: Place) -> Setting<TouchAction> {
    get { settings[place] ?? Setting() }
    set { settings[place] = newValue }
  }

  /// Whether any gesture has been read.
  var isKnown: Bool { settings.values.contains { $0.confirmed != nil } }

  /// Takes the actions that the headphone reports; gestures that it does not name stay as they are.
  mutating func received(_ actions: [Side: [TouchGesture: TouchAction]]) {
    for (side, gestures) in actions {
      for (gesture, action) in gestures { self[side, gesture].received(action) }
    }
  }

  /// Drops what is pending, because the link is gone.
  mutating func giveUp() {
    for place in settings.keys { settings[place]?.giveUp() }
  }
}
