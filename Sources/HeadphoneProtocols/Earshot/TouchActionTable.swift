public import BluetoothCodec

/// The response to command 0x32: the action of each gesture on each bud.
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 4 | left: tap, double tap, triple tap, hold |
/// | 4 | 4 | right: tap, double tap, triple tap, hold |
public struct TouchActionTable: Hashable, Sendable {
  /// The action of each gesture, without unknown actions.
  public var actions: [Side: [TouchGesture: TouchAction]]

  public init(_ actions: [Side: [TouchGesture: TouchAction]]) { self.actions = actions }

  /// Decodes the response's data, at least 8 bytes, without undefined actions.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "touch actions")
    actions = [:]
    for side in Side.allCases {
      for gesture in TouchGesture.allCases {
        actions[side, default: [:]][gesture] = TouchAction(rawValue: try reader.uint8())
      }
    }
  }
}
