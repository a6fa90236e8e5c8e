import BluetoothCodec
import BluetoothRadio
import EventLoop
import Locking
import TestSupport
import Testing

@testable import BluetoothKernel

@Suite struct ClassicDeviceProbeTests {
  private static let adapter = AdapterInfo(
    index: 0, name: "hci0", address: BluetoothAddress(value: 1), isPowered: true)
  private static let product = ProductID(vendor: 0x054C, product: 0x0D58)
  private static let service = BluetoothUUID.bit16(0x1101)

  @Test func `half an answer is asked for again, a whole one is kept`() async throws {
    let asked = Mutex(0)
    let probe = ClassicDeviceProbe(loop: .shared, clock: ManualClock()) { _, _ in
      let count = asked.withLock {
        $0 += 1
        return $0
      }
      return (
        ServiceRecords(serialServices: count > 1 ? [Self.service] : [], product: Self.product),
        count > 1
      )
    }
    let address = BluetoothAddress(value: 2)
    #expect(try await probe.records(of: address, through: Self.adapter).serialServices.isEmpty)
    for _ in 0..<2 {
      #expect(
        try await probe.records(of: address, through: Self.adapter).serialServices
          == [Self.service])
    }
    #expect(asked.withLock(\.self) == 2)
  }
}
