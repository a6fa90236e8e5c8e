import Configuration
import Testing

@Suite struct AdapterNameTests {
  @Test(arguments: AdapterName.virtual + ["hci0", "hci15"])
  func `is the same on the command line and in the file`(name: String) throws {
    #expect(AdapterName(name) != nil)
    let (configuration, mistakes) = Configuration.read("[connection]\nadapter = \"\(name)\"\n".utf8)
    #expect(configuration.connection.adapter == name && mistakes.isEmpty)
  }

  @Test(arguments: [
    "", "hci", "hci-1", "hci65536", "bluetooth0", "virtual-", "Virtual", "virtual-x",
  ])
  func `is refused in both places`(name: String) throws {
    #expect(AdapterName(name) == nil)
    let (configuration, mistakes) = Configuration.read("[connection]\nadapter = \"\(name)\"\n".utf8)
    #expect(configuration.connection.adapter == nil && mistakes.count == 1)
  }
}
