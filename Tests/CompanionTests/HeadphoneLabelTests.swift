import BluetoothCodec
import Companion
import Testing

/// Headphones with the same name are distinguished wherever the name is shown.
@Suite struct `A headphone's label` {
  private func list(_ headphones: (name: String, address: UInt64)...) -> HeadphoneList {
    HeadphoneList(
      headphones.enumerated().map { number, headphone in
        HeadphoneState(
          id: HeadphoneID(rawValue: "\(number)"), name: headphone.name,
          address: PeerAddress(BluetoothAddress(value: headphone.address), .random))
      })
  }

  @Test func `is the name, or the address of one without a name`() {
    let list = list(("Aurora", 0xC0DE_5E00_5388), ("", 0xC0DE_5E00_5389))
    #expect(list.map(list.label) == ["Aurora", "C0:DE:5E:00:53:89"])
  }

  @Test func `ends with as much of the address as tells it from others of the name`() {
    let list = list(
      ("Duo", 0xC0DE_5E00_5388), ("Duo", 0xC0DE_5E00_5389), ("Duo", 0xC0DE_5E00_5489),
      ("Solo", 0xC0DE_5E00_5388))
    #expect(list.map(list.label) == ["Duo :88", "Duo :53:89", "Duo :54:89", "Solo"])
    var state = State()
    state.headphones = list
    #expect(state.name(of: HeadphoneID(rawValue: "0")) == "Duo :88")
  }

  @Test func `is whole where not even the address differs`() {
    let list = list(("Duo", 1), ("Duo", 1))
    #expect(list.map(list.label) == Array(repeating: "Duo 00:00:00:00:00:01", count: 2))
  }
}
