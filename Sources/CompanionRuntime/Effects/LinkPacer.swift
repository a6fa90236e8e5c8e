internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import Companion

/// Short connection intervals for links while they are busy, restored afterwards.
///
/// Requests of one link are serialised, so that a slow answer cannot override a newer request. A
/// link whose headphone refuses other parameters keeps its current ones. An idle link has no timer.
@MainActor
final class LinkPacer {
  typealias Send = LiveEffectHandler.Send

  @MainActor private final class Pace {
    let session: HeadphoneConnection
    var pacing = LinkPacing()
    var work: Task<Void, Never>?
    /// The timer after which the earlier interval is restored.
    var calm: Task<Void, Never>?

    init(_ session: HeadphoneConnection) { self.session = session }
  }

  private let clock: any Clock<Duration>
  private var paces: [HeadphoneID: Pace] = [:]

  init(clock: any Clock<Duration>) { self.clock = clock }

  func use(_ id: HeadphoneID, _ session: HeadphoneConnection, _ send: @escaping Send) {
    let pace = pace(of: id, session)
    let isToQuicken = pace.pacing.use()
    if isToQuicken { quicken(pace, id, send) }
    startCalm(pace, id, send)
  }

  func beginUpdate(_ id: HeadphoneID, _ session: HeadphoneConnection, _ send: @escaping Send) {
    let pace = pace(of: id, session)
    let isToQuicken = pace.pacing.beginUpdate()
    if isToQuicken { quicken(pace, id, send) }
    pace.calm?.cancel()
  }

  func endUpdate(_ id: HeadphoneID, _ session: HeadphoneConnection, _ send: @escaping Send) {
    guard let pace = paces[id], pace.session === session else { return }
    pace.pacing.endUpdate()
    startCalm(pace, id, send)
  }

  func merge(_ newer: HeadphoneID, with older: HeadphoneID) {
    paces[older] = paces.removeValue(forKey: newer)
  }

  func drop(_ id: HeadphoneID) { paces.removeValue(forKey: id)?.calm?.cancel() }

  func dropAll() {
    for id in Array(paces.keys) { drop(id) }
  }

  /// Returns the pace of this connection, dropping the state of an earlier one.
  private func pace(of id: HeadphoneID, _ session: HeadphoneConnection) -> Pace {
    if let pace = paces[id], pace.session === session { return pace }
    drop(id)
    let pace = Pace(session)
    paces[id] = pace
    return pace
  }

  private func quicken(_ pace: Pace, _ id: HeadphoneID, _ send: @escaping Send) {
    request(pace, id, send) { pacing, timing in pacing.quicken(from: timing) }
  }

  /// Starts the 10 s after which the earlier interval is restored, unless an update is running.
  private func startCalm(_ pace: Pace, _ id: HeadphoneID, _ send: @escaping Send) {
    pace.calm?.cancel()
    guard !pace.pacing.isUpdating else { return }
    pace.calm = Task { [clock, weak self, weak pace] in
      try? await clock.sleep(for: LinkPacing.calm)
      guard !Task.isCancelled, let self, let pace, pace.pacing.isToRest else { return }
      self.request(pace, id, send) { pacing, timing in pacing.rest(from: timing) }
    }
  }

  private func request(
    _ pace: Pace, _ id: HeadphoneID, _ send: @escaping Send,
    _ decide: @escaping @MainActor (inout LinkPacing, LEConnectionTiming?) -> TimingRange?
  ) {
    let previous = pace.work
    pace.work = Task { [weak self] in
      await previous?.value
      let session = pace.session
      guard let before = await session.measure() else { return }
      guard let range = decide(&pace.pacing, before.timing) else { return }
      do throws(TimingFailure) {
        let timing = try await session.retime(range)
        guard self?.isCurrent(pace) == true else { return }
        send(.noted(.debug, id, "link timing: \(timing.displayText)"))
        var after = before
        after.timing = timing
        send(.measured(id, after))
      } catch {
        pace.pacing.refuse()
        guard self?.isCurrent(pace) == true, error != .closed else { return }
        send(.noted(.debug, id, "the link's timing is unchanged: \(error)"))
      }
    }
  }

  private func isCurrent(_ pace: Pace) -> Bool {
    paces.values.contains { $0 === pace }
  }
}
