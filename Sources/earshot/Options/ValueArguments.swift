import ArgumentParser
import BluetoothCodec
import CompanionRuntime

/// An argument that says what it takes where it is given something else.
///
/// ```swift
/// @Argument(help: "The level.", transform: AmountArgument.parse) var level: AmountArgument?
/// ```
protocol ExplainedArgument {
  /// The second line of the error, without a capital and a full stop.
  static var usage: String { get }
  init?(argument: String)
}

extension ExplainedArgument {
  /// - Throws: `ValidationError`, which the parser puts behind its own words.
  static func parse(_ argument: String) throws -> Self {
    guard let value = Self(argument: argument) else { throw ValidationError(usage) }
    return value
  }
}

/// An attribute type: "2A19", the 128-bit form, or the beginning of a standard name.
struct TypeArgument: ExplainedArgument {
  static let usage = "a type has 4, 8 or 32 hexadecimal digits, or is a name such as battery-level"

  let uuid: BluetoothUUID

  init?(argument: String) {
    guard let uuid = BluetoothUUID(argument) ?? BluetoothUUID(characteristic: argument) else {
      return nil
    }
    self.uuid = uuid
  }
}

/// A number of seconds.
struct SecondsArgument: ExplainedArgument {
  static let usage = "it takes seconds, more than 0 and at most a day"

  let seconds: Double

  init?(argument: String) {
    guard let seconds = Double(argument), seconds > 0, seconds <= 86_400 else { return nil }
    self.seconds = seconds
  }
}

/// Bytes as hexadecimal digits: "01ff", "01 FF".
///
/// Spaces and colons between pairs are skipped; an odd number of digits is refused.
struct BytesArgument: ExplainedArgument {
  static let usage = "it takes pairs of hexadecimal digits, such as 01ff"

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
