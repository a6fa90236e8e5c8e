package import Companion

/// A handler that runs effects, and sends actions in return.
@MainActor
package protocol EffectHandler: AnyObject {
  /// Starts an effect without waiting for it.
  ///
  /// Effects start in the order in which `reduce` returned them, before the next action is reduced.
  /// An effect that ends another one therefore silences it for all later actions.
  func begin(_ effect: Effect, send: @escaping @MainActor (Action) -> Void)
}
