internal import Companion
internal import CompanionRuntime
public import HeadphoneProtocols

/// The options of a client's screen that count beside those of the owner.
///
/// Parsed by the owner from the client's command line.
public struct ScreenClientOptions: Sendable {
  /// Vendor keys that are trusted for firmware images chosen on that screen; nil: none were given.
  public var keys: MakerKeys?
  /// The beginning of the identity, address or name of the headphone that is connected and shown.
  public var selector: String?
  /// Whether `--auto-pause` was given, which only the owner can apply.
  public var hasAutoPause: Bool

  public init(keys: MakerKeys? = nil, selector: String? = nil, hasAutoPause: Bool = false) {
    self.keys = keys
    self.selector = selector
    self.hasAutoPause = hasAutoPause
  }

  /// The state of the screen at its start; connects the selected headphone.
  @MainActor
  func enter(_ store: Store) -> ScreenState {
    if hasAutoPause {
      store.send(.noted(.warning, nil, "--auto-pause is for the earshot that owns the link"))
    }
    var view = store.state.firstViewpoint
    guard let selector else { return view }
    let named = store.state.headphones.named(selector)
    guard named.count == 1, let headphone = named.first else {
      let what =
        named.isEmpty
        ? "no headphone \"\(selector)\" is known or nearby"
        : "several headphones match \"\(selector)\": choose one"
      store.send(.noted(.warning, nil, what))
      return view
    }
    view.selected = headphone.id
    if headphone.link.isWanted { return view }
    return store.send(.pressed(.connectOrDisconnect), from: view)
  }
}
