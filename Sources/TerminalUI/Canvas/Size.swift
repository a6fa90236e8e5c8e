/// Columns and rows of a terminal or of a part of it.
public struct Size: Hashable, Sendable {
  /// 0 or more; a wide character takes two.
  public var columns: Int
  /// 0 or more.
  public var rows: Int

  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}
