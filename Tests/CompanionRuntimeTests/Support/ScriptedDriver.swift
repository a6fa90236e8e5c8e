import Bluetooth
import GATT
import Headphones
import Synchronization

/// A driver that knows a few values at once and obeys.
final class ScriptedDriver: HeadphoneDriver {
  let events: AsyncStream<HeadphoneEvent>
  private let reported: AsyncStream<HeadphoneEvent>.Continuation
  private let bearer: any Bearer
  private let failure: HeadphoneError?
  private let onMark: @Sendable () -> Void

  init(
    bearer: any Bearer, failing failure: HeadphoneError? = nil,
    onMark: @escaping @Sendable () -> Void = {}
  ) {
    self.bearer = bearer
    self.failure = failure
    self.onMark = onMark
    (events, reported) = AsyncStream.makeStream()
  }

  func start() async throws(HeadphoneError) -> HeadphoneDescription {
    Task {
      while let _ = try? await bearer.receive() {}
      reported.finish()
    }
    for phase in StartPhase.allCases { reported.yield(.starting(phase)) }
    if let failure { throw failure }
    reported.yield(.ancChanged(.off))
    var capabilities = Capabilities()
    capabilities.ancModes = ANCMode.allCases
    capabilities.hasFind = true
    return HeadphoneDescription(
      driver: "scripted", capabilities: capabilities, information: DeviceInformation(), mtu: 23,
      requests: 1)
  }

  func mark(_ number: UInt64) {
    onMark()
    reported.yield(.mark(number))
  }

  func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    switch command {
    case .setANC(let mode): reported.yield(.ancChanged(mode))
    default: throw .refused(.busy)
    }
  }

  func refresh() async throws(HeadphoneError) { reported.yield(.ancChanged(.off)) }
}
