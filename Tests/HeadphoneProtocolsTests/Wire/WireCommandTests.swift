import BluetoothCodec
import HeadphoneProtocols
import Testing

/// Commands as the bytes of docs/protocol.md section 6.
@Suite struct WireCommandTests {
  static let examples: [(UInt8, [UInt8], WireCommand)] = [
    (0x01, [], .capabilities), (0x02, [9, 9], .ping([9, 9])), (0x03, [], .state),
    (0x10, [2], .setANC(.transparency)), (0x11, [10], .setANCLevel(10)),
    (0x20, [1], .setEQ(.bassBoost)), (0x21, [2, 0xE8, 24], .setCustomEQ(gains([-24, 24]))),
    (0x22, [], .customEQ), (0x30, [3, 1], .find(.both, isOn: true)),
    (0x31, [1, 3, 4], .setTouchAction(.right, .hold, .cycleANC)), (0x32, [], .touchActions),
    (0x33, [0], .setWearDetection(isOn: false)), (0x34, [0x41, 0xC3, 0xA9], .rename("Aé")),
    (0x70, [0x52, 0x45, 0x53, 0x45, 0x54], .factoryReset), (0x71, [], .restart),
  ]

  @Test(arguments: examples)
  func `bytes and commands are the same`(id: UInt8, payload: [UInt8], command: WireCommand) throws {
    #expect(command.id.rawValue == id)
    #expect(command.payload == payload)
    #expect(try WireCommand(CommandID(rawValue: id), payload: payload[...]) == command)
  }

  @Test(
    arguments: [
      (0x10, [4]), (0x10, []), (0x11, [11]), (0x20, [4]), (0x21, [2, 0]), (0x21, [1, 25]),
      (0x30, [1]), (0x30, [1, 2]), (0x31, [2, 0, 0]), (0x31, [0, 4, 0]), (0x31, [0, 0, 8]),
      (0x33, [2]), (0x34, []), (0x34, Array(repeating: 0x41, count: 33)), (0x34, [0xFF]),
      (0x70, [0x52, 0x45, 0x53, 0x45]), (0x70, [0x72, 0x65, 0x73, 0x65, 0x74]),
    ] as [(UInt8, [UInt8])])
  func `a bad payload is refused`(id: UInt8, payload: [UInt8]) {
    #expect(throws: HeadphoneError.refused(.badPayload)) {
      try WireCommand(CommandID(rawValue: id), payload: payload[...])
    }
  }

  @Test func `an unknown command is refused`() {
    #expect(throws: HeadphoneError.refused(.unknownCommand)) {
      try WireCommand(CommandID(rawValue: 0x6F), payload: [])
    }
  }
}
