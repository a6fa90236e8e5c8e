import BluetoothRadio
import Companion
import HeadphoneDrivers
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing

@testable import CompanionRuntime

/// `earshot fit`.
@MainActor @Suite struct FitTests {
  private let folder = TemporaryFolder()

  /// Runs the test on a headphone with these results, or with no test if nil.
  private func result(_ left: String?, _ right: String?, hasTest: Bool = true) async
    -> Result<FitReport, CommandError>
  {
    let effects = LiveEffectHandler(
      dependencies: Dependencies(
        radio: ScriptedRadio(), services: [],
        prepareDriver: { _, _ in
          {
            FitDriver(
              bearer: $0, emitter: $1, hasTest: hasTest,
              results: [left, right].compactMap(\.self))
          }
        },
        makeAudio: { SilentAudio() }, clock: ManualClock(),
        known: KnownHeadphones(in: folder.state)))
    let store = Store(handler: effects, now: { Timestamp(milliseconds: 0) })
    await effects.start(autoConnect: .never) { store.send($0) }
    effects.links.know(KnownHeadphone(id: ear, name: "Ear (a)", address: earPeer))
    store.send(.discovered(DiscoveredHeadphone(id: ear, name: "Ear (a)", address: earPeer)))
    let target = CommandTarget(store: store, effects: effects, timeout: .seconds(20))
    target.namesakeTime = .zero
    var report: FitReport?
    do throws(CommandError) {
      try await target.run(ear.rawValue) { () throws(CommandError) in
        report = try await target.testFit()
      }
    } catch {
      await effects.stop()
      return .failure(error)
    }
    await effects.stop()
    return report.map { .success($0) } ?? .failure(.notConnected)
  }

  @Test func `each bud has a result in words`() async throws {
    let report = try await result("good", "poor").get()
    #expect(
      report.text == "left: good seal\nright: poor seal; adjust the ear tip, or try another size")
    let away = try await result("not in the ear", "result 7").get()
    #expect(away.text == "left: not in the ear\nright: result 7")
  }

  @Test func `a test that ends without a result says what to do`() async {
    let result = await result(nil, nil)
    #expect(result == .failure(.noFitResult))
    #expect(CommandError.noFitResult.status == .linkLost)
    #expect(
      CommandError.noFitResult.message
        == "the fit test had no result in time\nwear both buds, keep still in a quiet place, and try again"
    )
  }

  @Test func `a headphone without such a test is told so`() async {
    #expect(
      await result(nil, nil, hasTest: false)
        == .failure(.lacks(feature: "fit test", name: "Ear (a)")))
  }
}

/// A driver of buds with a fit test.
private final class FitDriver: HeadphoneDriver {
  private let bearer: any Bearer
  private let emitter: EventEmitter
  private let hasTest: Bool
  private let results: [String]

  init(bearer: any Bearer, emitter: EventEmitter, hasTest: Bool, results: [String]) {
    self.bearer = bearer
    self.emitter = emitter
    self.hasTest = hasTest
    self.results = results
  }

  func start() async throws(HeadphoneError) -> HeadphoneDescription {
    Task {
      while let _ = try? await bearer.receive() {}
      emitter.finish()
    }
    var capabilities = Capabilities()
    if hasTest { capabilities.settings = [SettingDeclaration("fit-test", .action)] }
    return HeadphoneDescription(
      driver: "scripted", capabilities: capabilities, information: DeviceInformation(), mtu: 23,
      requests: 1)
  }

  func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    guard command == .set("fit-test", .done), results.count == 2 else { throw .noResponse }
    for (id, result) in zip(["fit-left", "fit-right"], results) {
      emitter.report(.settingChanged(SettingID(rawValue: id), .text(result)))
    }
  }

  func refresh() async throws(HeadphoneError) {}
}
