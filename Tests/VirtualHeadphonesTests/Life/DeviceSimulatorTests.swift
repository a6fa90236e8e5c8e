import HeadphoneProtocols
import Testing
import VirtualHeadphones

/// A headphone's physical state in simulated time.
@Suite struct HeadphoneLifeTests {
  private func life(_ model: VirtualModel, _ levels: [Part: UInt8]) -> DeviceSimulator {
    var model = model
    model.levels = levels
    return DeviceSimulator(model)
  }

  @Test func `a worn headphone drains by the hour and tells every percent`() throws {
    var life = self.life(.aurora, [.left: 50, .right: 50, .case: 50])
    var now = Duration.zero
    var reported: [BatteryReport] = []
    _ = life.advance(to: now)
    while let next = life.nextChange(after: now), next < .seconds(3600) {
      #expect(next > now)
      now = next
      for case .battery(let report) in life.advance(to: now) { reported.append(report) }
    }
    // 18 % in an hour with noise control; both buds change at the same moment.
    #expect(reported.count == 18)
    #expect(reported.last?.left == 32 && reported.last?.right == 32 && reported.last?.case == 50)
    #expect(reported.allSatisfy { $0.charging == [] })
  }

  @Test func `an empty battery stays empty and nothing is due any more`() throws {
    var life = self.life(.drift, [.left: 1, .right: 1])
    _ = life.advance(to: .seconds(24 * 3600))
    #expect(life.battery(at: .seconds(24 * 3600)).left == 0)
    #expect(life.nextChange(after: .seconds(24 * 3600)) == nil)
  }

  @Test func `buds charge in their case until they are full`() {
    var life = self.life(.aurora, [.left: 90, .right: 99, .case: 60])
    let events = life.happen(.putIntoCase(.left), at: .zero)
    #expect(
      events == [
        .wearing(left: false, right: true),
        .battery(BatteryReport(left: 90, right: 99, case: 60, charging: [.left])),
      ])
    _ = life.happen(.putIntoCase(.right), at: .zero)
    let later = Duration.seconds(3600)
    _ = life.advance(to: .seconds(600))
    _ = life.advance(to: later)
    let report = life.battery(at: later)
    #expect(report.left == 100 && report.right == 100)
    #expect(report.charging == [])
    #expect((40..<60).contains(report.case ?? 0))
  }

  @Test func `a headphone that does not drain charges all the same, at the level it has`() {
    var quiet = VirtualModel.aurora
    quiet.drains = false
    var life = self.life(quiet, [.left: 84, .right: 79, .case: 62])
    let events = life.happen(.putIntoCase(.left), at: .zero)
    #expect(
      events == [
        .wearing(left: false, right: true),
        .battery(BatteryReport(left: 84, right: 79, case: 62, charging: [.left])),
      ])
    #expect(life.nextChange(after: .zero) == nil)
    #expect(life.battery(at: .seconds(3600)).left == 84)
    let back = life.happen(.putInEar(.left), at: .seconds(3600))
    #expect(
      back == [
        .wearing(left: true, right: true),
        .battery(BatteryReport(left: 84, right: 79, case: 62, charging: [])),
      ])
  }

  @Test func `a plugged case charges`() {
    var life = self.life(.aurora, [.left: 90, .right: 90, .case: 10])
    let events = life.happen(.plugIn, at: .zero)
    #expect(events == [.battery(BatteryReport(left: 90, right: 90, case: 10, charging: [.case]))])
    #expect(life.battery(at: .seconds(3600)).case == 55)
    _ = life.happen(.unplug, at: .seconds(3600))
    #expect(life.battery(at: .seconds(7200)).case == 55)
  }

  @Test func `lid touch and button are reported`() {
    var life = DeviceSimulator(.aurora)
    #expect(life.happen(.openLid, at: .zero).first == .caseLid(isOpen: true))
    #expect(life.happen(.openLid, at: .zero) == [])
    #expect(life.happen(.touch(.left, .tap), at: .zero) == [.touch(.left, .tap)])
    #expect(
      life.happen(.touch(.right, .hold), at: .zero)
        == [.touch(.right, .hold), .anc(.transparency)])
    #expect(life.happen(.press(.off), at: .zero) == [.anc(.off)])
  }

  @Test func `what a model lacks does not happen`() {
    var life = DeviceSimulator(.drift)
    #expect(life.happen(.openLid, at: .zero) == [])
    #expect(life.happen(.putIntoCase(.left), at: .zero) == [])
    #expect(life.happen(.press(.adaptive), at: .zero) == [])
  }

  @Test func `a bud that is not worn is not touched`() {
    var life = DeviceSimulator(.aurora)
    #expect(life.happen(.takeOut(.left), at: .zero).first == .wearing(left: false, right: true))
    #expect(life.happen(.touch(.left, .tap), at: .zero) == [])
  }
}
