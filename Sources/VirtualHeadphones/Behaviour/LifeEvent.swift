public import Headphones

/// Something that a person does with a headphone.
public enum LifeEvent: Hashable, Sendable {
  case putInEar(Side)
  case takeOut(Side)
  case putIntoCase(Side)
  case openLid
  case closeLid
  case plugIn
  case unplug
  case touch(Side, TouchGesture)
  /// The button on the headphone itself.
  case press(ANCMode)
  case setLevel(Part, UInt8)
}

/// Where a bud is.
public enum BudPlace: Hashable, Sendable {
  case ear, table, `case`
}
