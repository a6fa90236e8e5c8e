import ArgumentParser
import BluetoothCodec

/// An attribute type: "2A19", or the 128-bit form.
struct TypeArgument: ExpressibleByArgument {
  let uuid: BluetoothUUID

  init?(argument: String) {
    guard let uuid = BluetoothUUID(argument) else { return nil }
    self.uuid = uuid
  }
}

/// Bytes as hexadecimal digits: "01ff", "01 FF".
///
/// Spaces and colons between pairs are skipped; an odd number of digits is refused.
struct BytesArgument: ExpressibleByArgument {
  let bytes: [UInt8]

  init?(argument: String) {
    let digits = Array(argument.filter { !$0.isWhitespace && $0 != ":" })
    guard digits.count.isMultiple(of: 2), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
      return nil
    }
    bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
  }
}
