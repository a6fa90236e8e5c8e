public import Headphones

extension Part {
  /// "left", "right", "case".
  public var name: String {
    switch self {
    case .left: "left"
    case .right: "right"
    case .case: "case"
    }
  }
}
