internal import Companion
internal import DBus
internal import Desktop
internal import HeadphoneProtocols

/// The media players that were paused when both buds were taken out, to be resumed later.
@MainActor
final class PausedPlayers {
  private let desktop: any Desktop
  private var players: [MediaPlayer] = []
  /// The last request; serialised, because a bud may return before the players have answered.
  private var work: Task<Void, Never>?

  init(desktop: any Desktop) { self.desktop = desktop }

  func pause(_ send: @escaping LiveEffectHandler.Send) {
    order { me in
      do throws(DBusError) {
        let outcome = try await me.desktop.pausePlayers()
        me.players = outcome.paused
        for player in outcome.unable {
          let name = displayable(player.shortName)
          send(.noted(.info, nil, "auto-pause: \(name) says that it cannot be paused"))
        }
        send(.playersPaused(me.players.map { displayable($0.shortName) }))
      } catch {
        send(.noted(.warning, nil, "auto-pause: \(error)"))
        send(.playersPaused([]))
      }
    }
  }

  func resume(_ send: @escaping LiveEffectHandler.Send) {
    order { me in
      let players = me.players
      me.players = []
      do throws(DBusError) {
        try await me.desktop.resume(players)
      } catch {
        send(.noted(.warning, nil, "auto-pause: \(error)"))
      }
    }
  }

  func forget() {
    order { me in me.players = [] }
  }

  /// Waits until no request is in progress.
  func finish() async { await work?.value }

  private func order(_ order: @escaping @MainActor (PausedPlayers) async -> Void) {
    let previous = work
    work = Task {
      await previous?.value
      await order(self)
    }
  }
}
