import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols

/// What a screen of another process was started with that counts for it beside the owner's own.
struct ScreenClientOptions {
  /// Makers whom its person trusts for the images that are chosen there; nil: nobody was named.
  let keys: MakerKeys?
  /// The beginning of the identity, address or name of the headphone that it is for.
  let selector: String?
  private let wantsAutoPause: Bool

  /// - Throws: if its words make no sense here, or a key cannot be read.
  init(_ request: Request) throws(Request.Refusal) {
    let command: any ParsableCommand
    do { command = try Earshot.parseAsRoot(request.arguments) } catch {
      throw Request.Refusal(why: Earshot.message(for: error))
    }
    guard let program = command as? Earshot else {
      throw Request.Refusal(why: "these words are for no screen")
    }
    var trust = program.trust
    trust.files = trust.files.map(request.path)
    do throws(CommandError) {
      keys = trust.files.isEmpty ? nil : MakerKeys(try trust.keys())
    } catch {
      throw Request.Refusal(why: error.message)
    }
    wantsAutoPause = program.autoPause != nil
    selector = program.common.device
  }

  /// Where its screen looks first; the headphone that it is for is connected.
  @MainActor
  func enter(_ store: Store) -> ScreenState {
    if wantsAutoPause {
      store.send(.noted(.warning, nil, "--auto-pause is for the earshot that owns the link"))
    }
    var view = store.state.firstViewpoint
    guard let selector else { return view }
    guard let headphone = store.state.headphones.first(where: { $0.matches(selector) }) else {
      store.send(.noted(.warning, nil, "no headphone \"\(selector)\" is known or nearby"))
      return view
    }
    view.selected = headphone.id
    if headphone.isWanted { return view }
    return store.send(.pressed(.connectOrDisconnect), from: view)
  }
}
