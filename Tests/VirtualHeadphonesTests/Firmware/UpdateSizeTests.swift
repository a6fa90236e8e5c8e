import Headphones
import LinkSimulation
import Testing
import VirtualHeadphones

@Suite struct UpdateSizeTests {
  @Test(arguments: [1, 2, 511, 512, 513, 1024])
  func `images of a byte, of a block and around arrive whole`(size: Int) throws {
    let image = try UpdateExample.image(size)
    var simulation = UpdateExample.simulation(image)
    #expect(try simulation.run() == .installed(UpdateExample.new))
    #expect(simulation.hasInstalled(image))
  }

  @Test(arguments: [20, 64, 182, 244, 514])
  func `frames of every length carry the image`(longest: Int) throws {
    let image = try UpdateExample.image(4000)
    var simulation = UpdateExample.simulation(image)
    simulation.longestValue = longest
    #expect(try simulation.run() == .installed(UpdateExample.new))
    #expect(simulation.hasInstalled(image))
  }

  @Test func `an image of 16 MiB arrives whole`() throws {
    let image = try UpdateExample.image(16 << 20, block: 65536)
    var simulation = UpdateExample.simulation(
      image,
      over: LinkModel.Parameters(interval: .microseconds(7500), packetsPerEvent: 12, buffer: 64))
    simulation.longestValue = 514
    #expect(try simulation.run() == .installed(UpdateExample.new))
    #expect(simulation.hasInstalled(image))
  }
}
