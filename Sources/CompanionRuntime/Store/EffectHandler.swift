public import Companion

/// Carries effects out; what comes of them returns as actions.
@MainActor
public protocol EffectHandler: AnyObject {
  /// Begins an effect and returns at once.
  ///
  /// Effects begin in the order in which `reduce` named them, each before the next action is
  /// reduced; so what an effect ends cannot tell any more afterwards.
  func begin(_ effect: Effect, send: @escaping @MainActor (Action) -> Void)
}
