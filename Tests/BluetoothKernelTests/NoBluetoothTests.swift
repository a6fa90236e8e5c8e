import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Glibc
import Testing

@testable import BluetoothKernel

/// A machine without Bluetooth; Tests/RealKernel tests others.
@Suite(.enabled(if: kernelLacksBluetooth)) struct NoBluetoothTests {
  private let radio = LinuxRadio()

  @Test func `listing adapters says that there is none`() {
    #expect(throws: RadioError.noAdapter) { try radio.adapters() }
  }

  @Test func `scanning says that there is none`() async {
    await #expect(throws: RadioError.noAdapter) {
      for try await _ in radio.scan(ScanOptions()) {}
    }
  }

  @Test func `connecting says that there is none`() async {
    let peer = PeerAddress(BluetoothAddress(value: 1), .public)
    await #expect(throws: RadioError.noAdapter) {
      try await radio.connect(to: peer, timeout: .seconds(10))
    }
  }

  @Test func `nothing ever changes`() async {
    for await _ in radio.adapterChanges() { Issue.record("a change without Bluetooth") }
  }
}

private let kernelLacksBluetooth: Bool = {
  let descriptor = socket(31, Int32(SOCK_RAW.rawValue), 1)
  guard descriptor >= 0 else { return errno == EAFNOSUPPORT }
  close(descriptor)
  return false
}()
