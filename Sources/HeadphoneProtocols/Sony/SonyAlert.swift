internal import BluetoothCodec

/// An alert of the first protocol generation, which asks the user a question instead of carrying
/// out a command.
///
/// | bytes | meaning |
/// | --- | --- |
/// | 99 01 n t | the command requires n: 1 a stable connection, 2 no noise control |
/// | 98 01 n a | the response: 1 yes; 0 no, which changes nothing |
///
/// The command itself is acknowledged but not reported. Recorded with a WH-1000XM3.
struct SonyAlert: Hashable, Sendable {
  private let number: UInt8

  init?(_ payload: Bytes) {
    guard payload.count == 4, payload.prefix(2) == [0x99, 0x01] else { return nil }
    number = payload[payload.startIndex + 2]
  }

  var no: [UInt8] { [0x98, 0x01, number, 0x00] }

  var refusal: HeadphoneError {
    switch number {
    case 1:
      .badArgument(
        "the headphone takes it only where its connection prefers stability to quality (no LDAC)")
    case 2: .badArgument("the headphone takes it only without noise control on its button")
    default: .refused(.wrongState)
    }
  }
}
