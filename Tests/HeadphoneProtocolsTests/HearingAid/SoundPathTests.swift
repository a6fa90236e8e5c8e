import BluetoothCodec
import HeadphoneProtocols
import Testing
import VirtualHeadphones

@Suite struct SoundPathTests {
  @Test(
    arguments: [
      ([0x00, 0x00, 0x00], 0, 0), ([0x01, 0xFF, 0x07], -255, 7), ([0x64, 0x00, 0xFF], 100, 0xFF),
      ([0xDE, 0x00, 0x01], 222, 1),
    ] as [([UInt8], Int16, UInt8)])
  func `volume offsets`(_ bytes: [UInt8], _ offset: Int16, _ counter: UInt8) throws {
    let state = OutputState(offset: offset, counter: counter)
    #expect(try OutputState(decoding: bytes[...]) == state)
    #expect(state.encoded() == bytes)
  }

  @Test func `volume offsets are set by the counter`() {
    #expect(OutputState(offset: 0, counter: 0).request(offset: 222) == [0x01, 0x00, 0xDE, 0x00])
    #expect(OutputState(offset: 0, counter: 7).request(offset: -255) == [0x01, 0x07, 0x01, 0xFF])
  }

  @Test(
    arguments: [
      (
        [0xFA, 0x00, 0x02, 0x03], InputState(gain: -6, isMuted: false, mode: .manual, counter: 3)
      ),
      (
        [0x00, 0x01, 0x01, 0xFF],
        InputState(gain: 0, isMuted: true, mode: .automaticOnly, counter: 0xFF)
      ),
      (
        [0x00, 0x02, 0x00, 0x00], InputState(gain: 0, isMuted: nil, mode: .manualOnly, counter: 0)
      ),
    ] as [([UInt8], InputState)])
  func `inputs`(_ bytes: [UInt8], _ state: InputState) throws {
    #expect(try InputState(decoding: bytes[...]) == state)
    #expect(state.encoded() == bytes)
  }

  @Test func `inputs are set by the counter`() {
    func state(_ counter: UInt8) -> InputState {
      InputState(gain: 0, isMuted: false, mode: .manual, counter: counter)
    }
    #expect(state(0x64).request(gain: 1) == [0x01, 0x64, 0x01])
    #expect(state(0x65).request(isMuted: false) == [0x02, 0x65])
    #expect(state(0x66).request(isMuted: true) == [0x03, 0x66])
    #expect(state(0x67).request(isAutomatic: false) == [0x04, 0x67])
    #expect(state(0x68).request(isAutomatic: true) == [0x05, 0x68])
  }

  @Test(
    arguments: [
      ([0x05, 0xD8, 0x14], InputGain(unit: 5, range: -40...20), "x 0.5 dB"),
      ([0x01, 0x80, 0x7F], InputGain(unit: 1, range: -128...127), "x 0.1 dB"),
      ([0x0A, 0x00, 0x00], InputGain(unit: 10, range: 0...0), "dB"),
    ] as [([UInt8], InputGain, String)])
  func `gains`(_ bytes: [UInt8], _ gain: InputGain, _ unit: String) throws {
    #expect(try InputGain(decoding: bytes[...]) == gain)
    #expect(gain.encoded() == bytes)
    #expect(gain.unitText == unit)
  }

  @Test(arguments: [([0x00], false), ([0x01], true), ([0x02], nil)] as [([UInt8], Bool?)])
  func `the microphone`(_ bytes: [UInt8], _ isMuted: Bool?) throws {
    #expect(try MicrophoneMute(decoding: bytes[...]) == MicrophoneMute(isMuted))
    #expect(MicrophoneMute(isMuted).encoded() == bytes)
  }

  @Test func `ASHA's properties`() throws {
    let right = try ASHAProperties(
      decoding: [
        0x01, 0x03, 0x4A, 0x13, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x01, 0x00, 0x00, 0x00, 0x00,
        0x02, 0x00,
      ])
    #expect(right.displayText == "right, one of two, G.722 at 16 kHz")
    let left = try ASHAProperties(
      decoding: [
        0x01, 0x02, 0x4A, 0x13, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x01, 0x14, 0x00, 0x00, 0x00,
        0x02, 0x00,
      ])
    #expect(left.side == .left && left.renderDelay == 20 && left.identifier == right.identifier)
  }

  /// Each decoder with bytes that it must reject.
  @Test(arguments: [[], [0x00], [0x03, 0x00], [0x00, 0x01, 0x00, 0x00, 0x00]] as [[UInt8]])
  func `lengths that cannot be`(_ bytes: [UInt8]) {
    #expect(throws: MalformedBytes.self) { try OutputState(decoding: bytes[...]) }
    #expect(throws: MalformedBytes.self) { try InputState(decoding: bytes[...]) }
    #expect(throws: MalformedBytes.self) { try InputGain(decoding: bytes[...]) }
    #expect(throws: MalformedBytes.self) { try ASHAProperties(decoding: bytes[...]) }
  }

  @Test func `values that cannot be`() {
    #expect(throws: MalformedBytes.self) { try OutputState(decoding: [0x00, 0x01, 0x00]) }
    #expect(throws: MalformedBytes.self) { try OutputState(decoding: [0x00, 0xFF, 0x00]) }
    #expect(throws: MalformedBytes.self) { try InputState(decoding: [0x00, 0x03, 0x00, 0x00]) }
    #expect(throws: MalformedBytes.self) { try InputState(decoding: [0x00, 0x00, 0x04, 0x00]) }
    #expect(throws: MalformedBytes.self) { try InputGain(decoding: [0x01, 0x05, 0x04]) }
    #expect(throws: MalformedBytes.self) { try MicrophoneMute(decoding: [0x03]) }
    #expect(throws: MalformedBytes.self) { try MicrophoneMute(decoding: []) }
    #expect(throws: MalformedBytes.self) {
      try ASHAProperties(decoding: [0x02] + Bytes(repeating: 0, count: 16))
    }
  }
}
