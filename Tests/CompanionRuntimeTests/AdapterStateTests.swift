import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Companion
import Testing

@testable import CompanionRuntime

@Suite struct AdapterStateTests {
  @Test(arguments: [
    (false, false, AdapterState.off(adapter: "hci0")),
    (false, true, .blocked(adapter: "hci0")),
    (
      true, false,
      .ready(
        Adapter(name: "hci0", address: BluetoothAddress(value: 0x0000_0000_0001), isPowered: true))
    ),
  ])
  func `an adapter that a switch keeps off is blocked`(
    isPowered: Bool, isBlocked: Bool, state: AdapterState
  ) {
    let adapter = Adapter(
      name: "hci0", address: BluetoothAddress(value: 1), isPowered: isPowered,
      isBlocked: isBlocked)
    #expect(AdapterState(adapter) == state)
  }
}
