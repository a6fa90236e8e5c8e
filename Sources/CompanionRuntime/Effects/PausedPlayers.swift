internal import Companion
internal import DBus
internal import Desktop
internal import HeadphoneProtocols

/// The media players that were paused when both buds were taken out, to be resumed later.
///
/// Requests are serialised, as a bud may return before the players have answered. A player that was
/// already paused, or that cannot be paused, is left alone.
@MainActor
final class PausedPlayers {
  private let desktop: any Desktop
  private var players: [MediaPlayer] = []
  private var work: Task<Void, Never>?

  init(desktop: any Desktop) { self.desktop = desktop }

  /// Pauses the players that are playing (MPRIS `CanPause`), and reports their names.
  ///
  /// Answered by ``/Companion/Action/playersPaused(_:)``, with no names if nothing played or the
  /// bus failed.
  func pause(_ send: @escaping LiveEffectHandler.Send) {
    enqueue { me in
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

  /// Resumes only the players that were paused here; an error is logged.
  func resume(_ send: @escaping LiveEffectHandler.Send) {
    enqueue { me in
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
    enqueue { me in me.players = [] }
  }

  func finish() async { await work?.value }

  private func enqueue(_ request: @escaping @MainActor (PausedPlayers) async -> Void) {
    let previous = work
    work = Task {
      await previous?.value
      await request(self)
    }
  }
}
