import Foundation

/// The extent of random tests: short in the ordinary run, long in `scripts/test thorough`.
package enum Thoroughness {
  package static let isThorough = ProcessInfo.processInfo.environment["EARSHOT_THOROUGH"] != nil

  /// The number of rounds to run.
  package static func rounds(_ ordinary: Int, thorough: Int) -> Int {
    isThorough ? thorough : ordinary
  }
}
