internal import Companion
internal import CompanionRuntime
package import FirmwareCrypto
internal import HeadphoneProtocols

package struct ScreenClientOptions: Sendable {
  /// Vendor keys to trust for firmware images chosen on this screen, if any were given.
  package var keys: MakerKeys?
  /// The beginning of the identity, address or name of the headphone to connect and show.
  package var selector: String?
  package var hasAutoPause: Bool

  package init(keys: MakerKeys? = nil, selector: String? = nil, hasAutoPause: Bool = false) {
    self.keys = keys
    self.selector = selector
    self.hasAutoPause = hasAutoPause
  }

  /// Returns the initial state of the screen, and whether it is for a named headphone.
  @MainActor
  func enter(_ store: Store) -> (view: ScreenState, isNamed: Bool) {
    if hasAutoPause {
      store.send(.noted(.warning, nil, "--auto-pause is for the earshot that owns the link"))
    }
    var view = store.state.firstViewpoint
    guard let selector else { return (view, false) }
    let named = store.state.headphones.named(selector)
    guard named.count == 1, let headphone = named.first else {
      let what =
        named.isEmpty
        ? "no headphone \"\(selector)\" is known or nearby"
        : "several headphones match \"\(selector)\": choose one"
      store.send(.noted(.warning, nil, what))
      return (view, false)
    }
    view.selected = headphone.id
    return (view, true)
  }
}
