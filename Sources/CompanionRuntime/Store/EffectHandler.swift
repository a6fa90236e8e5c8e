public import Companion

/// Runs effects, and sends actions in return.
///
/// ```swift
/// final class Recorder: EffectHandler {
///   var effects: [Effect] = []
///   func begin(_ effect: Effect, send: @escaping @MainActor (Action) -> Void) {
///     effects.append(effect)
///   }
/// }
/// ```
///
/// The program's is ``LiveEffectHandler``; tests record effects, or answer them at once.
@MainActor
public protocol EffectHandler: AnyObject {
  /// Starts an effect and returns at once.
  ///
  /// Effects start in the order in which `reduce` returned them, before the next action is reduced:
  /// an effect that ends another one silences it for all following actions.
  ///
  /// - Parameter send: receives actions, at once or later.
  func begin(_ effect: Effect, send: @escaping @MainActor (Action) -> Void)
}
