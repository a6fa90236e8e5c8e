import BluetoothCodec
import HeadphoneProtocols
import Testing

@testable import HeadphoneDrivers

/// Several Battery services, distinguished as docs/protocol.md section 3 defines.
@Suite struct BatteryPartsTests {
  private static func format(_ description: UInt16, namespace: UInt8 = 1) -> Bytes {
    [4, 0, 0xAD, 0x27, namespace, UInt8(description & 0xFF), UInt8(description >> 8)]
  }

  static let left = format(0x010D)
  static let right = format(0x010E)
  static let main = format(0x0106)

  @Test(
    arguments: [
      ([left, right, main], [.left, .right, .case]),
      ([main, right, left], [.case, .right, .left]),
      ([nil, nil, nil], [.left, .right, .case]),
      ([nil], [.left]),
      ([right, nil, nil], [.right, .left, .case]),
      ([nil, left], [.right, .left]),
      ([left, left], [.left, nil]),
      ([nil, nil, nil, nil], [.left, .right, .case, nil]),
      ([format(0x010D, namespace: 2), [4, 0]], [.left, .right]),
      ([], []),
    ] as [([Bytes?], [Part?])])
  func `descriptors come first then the order`(formats: [Bytes?], parts: [Part?]) {
    #expect(BatteryParts.parts(formats) == parts)
  }
}
