package import Companion

/// Runs effects, and sends actions in return.
///
/// ``LiveEffectHandler`` is the program's handler; tests record effects.
@MainActor
package protocol EffectHandler: AnyObject {
  /// Starts an effect without waiting for it.
  ///
  /// Effects start in the order in which `reduce` returned them, before the next action is reduced.
  /// An effect that ends another one therefore silences it for all later actions.
  ///
  /// - Parameter send: Receives actions, synchronously or later.
  func begin(_ effect: Effect, send: @escaping @MainActor (Action) -> Void)
}
