import Foundation

/// The extent of tests by random inputs: short in the ordinary run, long in `scripts/test thorough`.
package enum Thoroughness {
  /// Whether this is a thorough run.
  package static let isThorough = ProcessInfo.processInfo.environment["EARSHOT_THOROUGH"] != nil

  /// The number of rounds to run.
  package static func rounds(_ ordinary: Int, thorough: Int) -> Int {
    isThorough ? thorough : ordinary
  }
}
