import Headphones
import Testing
import VirtualHeadphones

@Test func aModelKeepsItsName() {
  #expect(VirtualModel(name: "A", capabilities: Capabilities()).name == "A")
}
