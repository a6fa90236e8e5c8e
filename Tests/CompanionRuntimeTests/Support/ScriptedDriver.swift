import BluetoothAttributes
import BluetoothRadio
import HeadphoneDrivers
import HeadphoneProtocols
import Locking

/// A driver that knows a few values immediately and carries out commands.
final class ScriptedDriver: HeadphoneDriver {
  private let emitter: EventEmitter
  private let bearer: any Bearer
  private let failure: HeadphoneError?
  private let set: CoordinatedSet?

  init(
    bearer: any Bearer, failing failure: HeadphoneError? = nil, in set: CoordinatedSet? = nil,
    emitter: EventEmitter
  ) {
    self.set = set
    self.bearer = bearer
    self.failure = failure
    self.emitter = emitter
  }

  func start() async throws(HeadphoneError) -> HeadphoneDescription {
    Task {
      while let _ = try? await bearer.receive() {}
      emitter.finish()
    }
    for phase in StartPhase.allCases { emitter.report(.starting(phase)) }
    if let failure { throw failure }
    emitter.report(.ancChanged(.off))
    var capabilities = Capabilities()
    capabilities.ancModes = ANCMode.allCases
    capabilities.hasFind = true
    var description = HeadphoneDescription(
      driver: "scripted", capabilities: capabilities, information: DeviceInformation(), mtu: 23,
      requests: 1)
    description.set = set
    return description
  }

  func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    switch command {
    case .setANC(let mode): emitter.report(.ancChanged(mode))
    default: throw .refused(.busy)
    }
  }

  func refresh() async throws(HeadphoneError) { emitter.report(.ancChanged(.off)) }
}
