import Testing

@testable import AudioRoute

@Suite struct BluetoothPropertiesTests {
  private func read(_ name: String, _ list: [(String, String)]) -> BluetoothProperties {
    let values = Dictionary(list) { $1 }
    return BluetoothProperties(name: name) { values[$0] }
  }

  @Test func `PulseAudio's module is understood`() {
    let sink = read(
      "bluez_sink.00_AA_01_01_00_01.a2dp_sink",
      BluetoothSinks.pulseAudio(protocol: "a2dp_sink", codec: "sbc_xq_453"))
    #expect(sink.isBluetooth)
    #expect(sink.address == "00:AA:01:01:00:01")
    #expect(sink.profile == .a2dp)
    #expect(sink.codec == "sbc_xq_453")
  }

  @Test func `PipeWire's nodes are understood`() {
    let sink = read(
      "bluez_output.00_AA_01_01_00_01.1",
      BluetoothSinks.pipeWire(profile: "headset-head-unit", codec: "lc3_swb"))
    #expect(sink.isBluetooth)
    #expect(sink.address == "00:AA:01:01:00:01")
    #expect(sink.profile == .handsFree)
    #expect(sink.codec == "lc3_swb")
  }

  @Test func `the common sink of two earbuds is LE audio`() {
    let sink = read(
      "bluez_output.00_AA_01_01_00_01.65",
      [
        ("device.api", "bluez5"), ("api.bluez5.address", "00:AA:01:01:00:01"),
        ("api.bluez5.set", "/org/bluez/hci0/set_1"), ("api.bluez5.set.leader", "true"),
      ])
    #expect(sink.isBluetooth)
    #expect(sink.profile == .leAudio)
    #expect(sink.codec == nil)
  }

  @Test func `a sound card with an address in its string is not Bluetooth`() {
    let sink = read(
      "alsa_output.pci-0000_00_1f.3.analog-stereo",
      [("device.api", "alsa"), ("device.bus", "pci"), ("device.string", "front:0")])
    #expect(!sink.isBluetooth)
    #expect(sink.address == nil)
    #expect(sink.profile == nil)
  }

  @Test(arguments: [
    ("bluez_sink.f0_f1_f2_f3_f4_f5.a2dp_sink", "F0:F1:F2:F3:F4:F5"),
    ("/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5", "F0:F1:F2:F3:F4:F5"),
    ("F0-F1-F2-F3-F4-F5", "F0:F1:F2:F3:F4:F5"),
    ("F0:F1:F2:F3:F4:F5:F6", "F0:F1:F2:F3:F4:F5"),
  ])
  func `an address is found in its spellings`(text: String, address: String) {
    #expect(bluetoothAddress(in: text) == address)
  }

  @Test(arguments: [
    "", "F0:F1:F2:F3:F4", "F0:F1:F2:F3:F4:G5", "F0F1F2F3F4F5", "F0:F1:F2:F3:F4:F51",
    "1F0:F1:F2:F3:F4:F5", "ÄÖÜ", "F0:F1:F2:F3:F4:F٥",
  ])
  func `what is no address is not taken for one`(text: String) {
    #expect(bluetoothAddress(in: text) == nil)
  }
}
