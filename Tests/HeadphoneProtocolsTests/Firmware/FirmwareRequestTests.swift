import BluetoothCodec
import HeadphoneProtocols
import Testing
import VirtualHeadphones

@Suite struct FirmwareRequestTests {
  static let header = [UInt8](0..<128)
  static let requests: [(FirmwareRequest, UInt8, [UInt8])] = [
    (.begin(header: header[...]), 0x50, header),
    (.data(FirmwareFrame(offset: 0x0403_0201, bytes: [9, 8])), 0x51, [1, 2, 3, 4, 9, 8]),
    (.blockDone(index: 0x0201, checksum: 0x0605_0403), 0x52, [1, 2, 3, 4, 5, 6]),
    (.verify, 0x53, []), (.activate, 0x54, []), (.confirm, 0x55, []), (.abort, 0x56, []),
    (.status, 0x57, []),
  ]

  @Test(arguments: requests)
  func `stands on the wire as the protocol lays it out`(
    request: FirmwareRequest, id: UInt8, payload: [UInt8]
  ) throws {
    #expect(request.id == CommandID(rawValue: id))
    #expect(request.payload == payload)
    #expect(try FirmwareRequest(request.id, payload: payload[...]) == request)
    let inTheMiddle = ([0xEE] + payload).dropFirst()
    #expect(try FirmwareRequest(request.id, payload: inTheMiddle) == request)
  }

  @Test func `a payload that is too short is refused`() {
    #expect(throws: MalformedBytes.self) {
      try FirmwareRequest(.firmwareBegin, payload: Self.header.dropLast())
    }
    #expect(throws: MalformedBytes.self) {
      try FirmwareRequest(.firmwareBlockDone, payload: [1, 2, 3, 4, 5])
    }
    #expect(throws: MalformedBytes.self) {
      try FirmwareRequest(.firmwareData, payload: [1, 2, 3, 4])
    }
  }

  @Test func `another command is none of an update`() throws {
    #expect(try FirmwareRequest(.ping, payload: []) == nil)
  }

  @Test func `answers stand on the wire as the protocol lays them out`() throws {
    let start = FirmwareStart(offset: 0x0403_0201, window: 5, longestFrame: 0x0706)
    #expect(start.encoded() == [1, 2, 3, 4, 5, 6, 7])
    #expect(try FirmwareStart(decoding: start.encoded()[...]) == start)
    var status = FirmwareStatus(
      state: .trial, offset: 0x0403_0201, running: FirmwareVersion(1, 2, 3), pending: nil)
    #expect(status.encoded() == [4, 1, 2, 3, 4, 1, 2, 3, 0, 0, 0, 0, 0])
    #expect(try FirmwareStatus(decoding: status.encoded()[...]) == status)
    status.pending = FirmwareVersion(4, 5, 6)
    #expect(status.encoded() == [4, 1, 2, 3, 4, 1, 2, 3, 0, 4, 5, 6, 0])
    #expect(try FirmwareStatus(decoding: status.encoded()[...]) == status)
    #expect(throws: MalformedBytes.self) { try FirmwareStatus(decoding: [6] + [0, 0, 0, 0]) }
  }
}
