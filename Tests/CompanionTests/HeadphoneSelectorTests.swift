import BluetoothCodec
import BluetoothRadio
import Companion
import HeadphoneProtocols
import Testing

struct HeadphoneSelectorTests {
  private let buds = headphone("00005e00538f", "Galaxy Buds", 0x0000_5E00_538F)
  private let pro = headphone("00005e00538e", "Galaxy Buds2 Pro", 0x0000_5E00_538E)
  private let aurora = headphone("c0de5e005301", "Aurora Buds", 0xC0DE_5E00_5301)

  private static func headphone(_ id: String, _ name: String, _ address: UInt64) -> HeadphoneState {
    HeadphoneState(
      id: HeadphoneID(rawValue: id), name: name,
      address: PeerAddress(BluetoothAddress(value: address), .random))
  }

  @Test(arguments: [
    ("galaxy buds", SelectorMatch.name), ("00005E00538F", .identifier),
    ("00:00:5e:00:53:8f", .identifier), ("Galaxy", .words), ("BUDS", .words),
    ("gal", .beginning), ("bu", .beginning), ("00005", .beginning), ("00:00:5E", .beginning),
    ("alaxy", .inside), ("axy b", .inside), ("x", nil), ("galaxy buds2", nil), (" ", nil),
    ("", nil),
  ])
  func `a selector is a name, an ID, words or a beginning`(
    selector: String, match: SelectorMatch?
  ) {
    #expect(buds.match(selector) == match)
  }

  @Test func `the exact name comes before what it begins`() {
    #expect([pro, buds].named("Galaxy Buds").map(\.id) == [buds.id])
    #expect([pro, aurora].named("Galaxy Buds").map(\.id) == [pro.id])
  }

  @Test func `words and beginnings of several name them all`() {
    #expect([pro, buds, aurora].named("galaxy").map(\.id) == [pro.id, buds.id])
    #expect([pro, buds, aurora].named("buds").map(\.id) == [pro.id, buds.id, aurora.id])
    #expect([pro, buds].named("00005e00538e").map(\.id) == [pro.id])
    #expect([pro, buds].named("drift").isEmpty)
  }

  @Test func `a part of a word counts where nothing better is`() {
    let sony = Self.headphone("88c9e8", "WH-1000XM4", 2)
    #expect([aurora, sony].named("xm4").map(\.id) == [sony.id])
    let named = Self.headphone("1", "XM4 of mine", 3)
    #expect([sony, named].named("xm4").map(\.id) == [named.id])
  }

  @Test(arguments: [
    ("drfit", "Drift Neckband"), ("galaxi buds", "Galaxy Buds"), ("auror bud", "Aurora Buds"),
    ("neckbnad", "Drift Neckband"), ("nothing", nil), ("bds", "Galaxy Buds"),
  ])
  func `a misspelt name has a nearest one`(word: String, name: String?) {
    let drift = Self.headphone("d1", "Drift Neckband", 4)
    #expect([buds, aurora, drift].nearestName(to: word) == name)
  }

  @Test func `an identifier of one comes before the beginning of another's name`() {
    let odd = Self.headphone("aurora", "Odd", 1)
    #expect([aurora, odd].named("aurora").map(\.id) == [odd.id])
  }
}
