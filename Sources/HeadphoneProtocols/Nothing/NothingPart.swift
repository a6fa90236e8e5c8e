/// A part in battery levels and ring commands, in which one of four public projects uses 1 for the
/// left bud.
enum NothingPart: UInt8, Hashable, Sendable {
  case both = 1, left, right, `case`
  case whole = 6
}
