/// A part of a headphone by its number, in levels and in commands to ring.
///
/// One of four public projects has 1 for the left bud in commands; nobody has recorded one.
enum NothingPart: UInt8, Hashable, Sendable {
  case both = 1, left, right, `case`
  /// A headphone with one battery.
  case whole = 6
}
