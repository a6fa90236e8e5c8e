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

extension ArgumentHelp {
  /// The help of an argument that names a headphone.
  static let namedHeadphone: ArgumentHelp = "Its name, ID or address, or a unique part of one."
  /// The help of one that may be left out.
  static let headphone: ArgumentHelp =
    "Its name, ID or address, or a unique part of one (default: the one used last)."
}

/// A headphone and a value, each of which may be left out: `battery aurora left`, `battery left`.
struct HeadphoneArguments<Value: NamedArgument>: ParsableArguments {
  @Argument(
    help: .init(ArgumentHelp.headphone.abstract, valueName: "headphone"), completion: .headphones)
  var first: String?

  @Argument(help: Value.help)
  var second: Value?

  /// The value that a single argument is.
  private var alone: Value? { second == nil ? first.flatMap(Value.init(argument:)) : nil }

  var value: Value? { second ?? alone }
  /// A headphone that has the name of a value is named by `--device`.
  var headphone: String? { alone == nil ? first : nil }
}
