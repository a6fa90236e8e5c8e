import BluetoothLinux
import Testing

@Test func theKernelAnswersWhetherItHasBluetooth() {
  #expect(kernelHasBluetooth() == kernelHasBluetooth())
}
