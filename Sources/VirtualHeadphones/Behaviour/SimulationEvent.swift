public import HeadphoneProtocols

/// Something that a person does with a headphone.
public enum SimulationEvent: Hashable, Sendable {
  /// The bud is worn from now on, from wherever it was.
  case putInEar(Side)
  /// The bud lies on the table, neither worn nor charged.
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
  /// %, 0 to 100: the battery is as full as that at once.
  case setLevel(Part, UInt8)
}

/// Where a bud is.
public enum BudPosition: Hashable, Sendable {
  case ear, table, `case`
}
