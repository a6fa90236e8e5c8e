import HeadphoneProtocols
import LinkSimulation
import Testing
import VirtualHeadphones

/// Errors of event 0x08 in transit, and headphones that lie.
@Suite struct UpdateAcknowledgementTests {
  static let size = 9000

  func run(
    _ acknowledging: UpdateSimulation.Acknowledging,
    _ change: (inout UpdateSimulation) -> Void = { _ in }
  ) throws -> (outcome: FirmwareOutcome, simulation: UpdateSimulation) {
    var simulation = UpdateExample.simulation(try UpdateExample.image(Self.size))
    simulation.acknowledging = acknowledging
    change(&simulation)
    let outcome = try simulation.run()
    return (outcome, simulation)
  }

  @Test(arguments: [
    UpdateSimulation.Acknowledging.losing(every: 2), .losing(every: 3), .doubling, .swapping,
  ])
  func `lost, doubled and swapped acknowledgements do no harm`(
    acknowledging: UpdateSimulation.Acknowledging
  ) throws {
    let (outcome, simulation) = try run(acknowledging)
    #expect(outcome == .installed(UpdateExample.new))
    #expect(simulation.hasInstalled(try UpdateExample.image(Self.size)))
  }

  @Test(arguments: [1, 4096, 1 << 24])
  func `an acknowledgement of what was not sent ends the update`(more: Int) throws {
    let (outcome, simulation) = try run(.claiming(more))
    guard case .failed(.impossibleAcknowledgement) = outcome else {
      // A claim of a byte that was sent, and has not arrived, comes out by the block's check.
      #expect(more == 1)
      guard case .failed = outcome else {
        Issue.record("\(outcome)")
        return
      }
      return #expect(simulation.runsOld)
    }
    #expect(simulation.runsOld)
  }

  @Test func `a headphone that never acknowledges is given up after some links`() throws {
    let (outcome, simulation) = try run(.never)
    #expect(outcome == .failed(.noProgress))
    #expect(simulation.runsOld)
  }

  @Test func `a block that was stored wrong is sent again`() throws {
    var headphone = UpdateExample.headphone()
    headphone.faults.wrongBlocks = [0, 3, 17]
    let image = try UpdateExample.image(Self.size)
    var simulation = UpdateSimulation(image, to: headphone, over: UpdateExample.quickLink)
    #expect(try simulation.run() == .installed(UpdateExample.new))
    #expect(simulation.hasInstalled(image))
    #expect(simulation.update.statistics.blocksSentAgain == 3)
  }

  @Test func `a block that never matches ends the update`() throws {
    var headphone = UpdateExample.headphone()
    headphone.faults.badBlocks = [2]
    var simulation = UpdateSimulation(
      try UpdateExample.image(Self.size), to: headphone, over: UpdateExample.quickLink)
    #expect(try simulation.run() == .failed(.blockNeverMatches(index: 2)))
    #expect(simulation.runsOld)
  }

  @Test func `frames that the headphone's buffer loses are sent again alone`() throws {
    var headphone = UpdateExample.headphone()
    headphone.faults.lostFrames = [0, 7, 8, 20, 21, 22, 40]
    let image = try UpdateExample.image(Self.size)
    var simulation = UpdateSimulation(image, to: headphone, over: UpdateExample.quickLink)
    simulation.longestValue = 182
    #expect(try simulation.run() == .installed(UpdateExample.new))
    #expect(simulation.hasInstalled(image))
    #expect((7...10).contains(simulation.update.statistics.retransmitted))
    #expect(simulation.update.statistics.silences == 0)
  }

  @Test func `without the data characteristic the image goes by commands`() throws {
    let (outcome, simulation) = try run(.properly) { $0.hasDataCharacteristic = false }
    #expect(outcome == .installed(UpdateExample.new))
    #expect(simulation.hasInstalled(try UpdateExample.image(Self.size)))
  }

  @Test func `a headphone whose window is one frame is served frame by frame`() throws {
    let image = try UpdateExample.image(Self.size)
    var simulation = UpdateExample.simulation(image) { $0.window = 1 }
    #expect(try simulation.run() == .installed(UpdateExample.new))
    #expect(simulation.hasInstalled(image))
  }
}
