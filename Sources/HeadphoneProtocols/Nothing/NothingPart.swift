/// The number of a part in battery levels and in commands to ring.
///
/// One of four public projects uses 1 for the left bud in commands; no recording exists.
enum NothingPart: UInt8, Hashable, Sendable {
  case both = 1, left, right, `case`
  /// A headphone with one battery.
  case whole = 6
}
