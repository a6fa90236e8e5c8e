public import BluetoothCodec

/// What command 0x32 answers: 8 bytes, left tap to hold, right tap to hold.
public struct TouchActionTable: Hashable, Sendable {
  /// What each gesture does; a gesture whose action is not known is missing.
  public var actions: [Side: [TouchGesture: TouchAction]]

  public init(_ actions: [Side: [TouchGesture: TouchAction]]) { self.actions = actions }

  /// Decodes the response's data; an action that the document does not list is left out.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "touch actions")
    actions = [:]
    for side in Side.allCases {
      for gesture in TouchGesture.allCases {
        actions[side, default: [:]][gesture] = TouchAction(rawValue: try reader.uint8())
      }
    }
  }

  /// The response's data; what is not set is "none".
  public func encoded() -> [UInt8] {
    Side.allCases.flatMap { side in
      TouchGesture.allCases.map { (actions[side]?[$0] ?? .none).rawValue }
    }
  }
}
