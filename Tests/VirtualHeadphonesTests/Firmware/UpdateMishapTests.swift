import HeadphoneProtocols
import LinkSimulation
import Testing
import VirtualHeadphones

/// Power or link fails at each frame and each command of a whole update.
@Suite struct UpdateMishapTests {
  static let size = 1400

  static func wholeUpdate() throws -> UpdateSimulation {
    var simulation = UpdateExample.simulation(try UpdateExample.image(size))
    simulation.longestValue = 64
    #expect(try simulation.run() == .installed(UpdateExample.new))
    return simulation
  }

  @Test(
    arguments: [UpdateSimulation.Mishap.Kind.linkLoss, .powerCut], [true, false])
  func `whatever is interrupted, the update resumes and ends with the whole image`(
    kind: UpdateSimulation.Mishap.Kind, isTaken: Bool
  ) throws {
    let values = try Self.wholeUpdate().values
    #expect(values > 30)
    let image = try UpdateExample.image(Self.size)
    for value in 0..<values {
      var simulation = UpdateExample.simulation(image)
      simulation.longestValue = 64
      simulation.fault = UpdateSimulation.Mishap(kind, at: value, isTaken: isTaken)
      let outcome = try simulation.run()
      switch outcome {
      case .installed:
        #expect(simulation.hasInstalled(image), "\(kind) at \(value)")
      case .failed(.rolledBack):
        // A headphone that loses its power on trial, before `confirm`, must go back.
        #expect(kind == .powerCut && value >= values - 3, "\(kind) at \(value)")
        #expect(simulation.runsOld)
      case .failed(let failure):
        Issue.record("\(kind) at \(value): \(failure)")
      }
    }
  }

  @Test func `what was good before the power went is not sent again`() throws {
    let image = try UpdateExample.image(8 * 512)
    var whole = UpdateExample.simulation(image)
    whole.longestValue = 64
    #expect(try whole.run() == .installed(UpdateExample.new))
    var simulation = UpdateExample.simulation(image)
    simulation.longestValue = 64
    simulation.fault = UpdateSimulation.Mishap(.powerCut, at: whole.values - 8, isTaken: true)
    #expect(try simulation.run() == .installed(UpdateExample.new))
    let again = simulation.update.statistics.frames - whole.update.statistics.frames
    // The block that was under way, the one not yet checked, and what was in the phone's buffer.
    #expect(again <= 2 * (512 / 60 + 1) + 8)
  }

  @Test func `after a rollback a second try installs the image`() throws {
    let image = try UpdateExample.image(Self.size)
    var first = UpdateExample.simulation(image)
    let values = try Self.wholeUpdate().values
    first.longestValue = 64
    first.fault = UpdateSimulation.Mishap(.powerCut, at: values - 1, isTaken: false)
    #expect(
      try first.run() == .failed(.rolledBack(running: UpdateExample.old.version)))
    var second = UpdateSimulation(image, to: first.headphone, over: UpdateExample.quickLink)
    #expect(try second.run() == .installed(UpdateExample.new))
    #expect(second.hasInstalled(image))
  }

  @Test func `an image that does not start is reported as rolled back, never as success`() throws {
    var headphone = UpdateExample.headphone()
    headphone.faults.newImageFails = true
    var simulation = UpdateSimulation(
      try UpdateExample.image(Self.size), to: headphone, over: UpdateExample.quickLink)
    #expect(
      try simulation.run() == .failed(.rolledBack(running: UpdateExample.old.version)))
    #expect(simulation.runsOld)
  }

  @Test func `an image that nobody confirms in time rolls back`() throws {
    var simulation = UpdateExample.simulation(try UpdateExample.image(Self.size)) {
      $0.trialTime = .milliseconds(500)
    }
    simulation.reconnection = .seconds(2)
    #expect(
      try simulation.run() == .failed(.rolledBack(running: UpdateExample.old.version)))
    #expect(simulation.runsOld)
  }
}
