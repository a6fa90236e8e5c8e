public import HeadphoneProtocols

/// An action of the wearer of a virtual headphone.
///
/// What is impossible for the model, such as a case that it does not have, changes nothing.
public enum SimulationEvent: Hashable, Sendable {
  /// The bud is put into the ear, from wherever it was.
  case putInEar(Side)
  /// The bud is taken out, and neither worn nor charged.
  case takeOut(Side)
  /// The bud charges from the case.
  case putIntoCase(Side)
  case openLid
  case closeLid
  case plugIn
  case unplug
  /// A gesture on the bud.
  case touch(Side, TouchGesture)
  /// The button on the headphone itself.
  case press(ANCMode)
  /// Sets a battery to a level in %, 0 to 100, at once.
  case setLevel(Part, UInt8)
}

/// The place of a bud.
public enum BudPosition: Hashable, Sendable {
  case ear, table, `case`
}
