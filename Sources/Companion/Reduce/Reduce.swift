extension State {
  /// Answers an action: the only place where state changes.
  ///
  /// Pure and total: the same state, action and moment give the same state and effects.
  ///
  /// - Returns: what to do in the world, in order.
  public mutating func reduce(_ action: Action, at moment: Moment) -> [Effect] {
    switch action {
    case .noted(let level, let headphone, let text):
      log.append(LogLine(at: moment, level: level, headphone: headphone, text: text))
      return []
    default:
      return []
    }
  }
}
