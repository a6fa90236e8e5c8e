import ArgumentParser
import BluetoothCodec
import CompanionRuntime

protocol ExplainedArgument {
  /// The second line of the error, without a capital letter and a full stop.
  static var usage: String { get }
  init?(argument: String)
}

extension ExplainedArgument {
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

struct SecondsArgument: ExplainedArgument {
  static let usage = "it takes seconds, more than 0 and at most a day"

  let seconds: Double

  init?(argument: String) {
    guard let seconds = Double(argument), seconds > 0, seconds <= 86_400 else { return nil }
    self.seconds = seconds
  }
}

/// Hexadecimal digits such as "01ff" or "01 FF"; spaces and colons are skipped, odd counts fail.
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
  static let configurationKey: ArgumentHelp =
    "The key, such as screen.theme; its table may be left out."
  static let namedHeadphone: ArgumentHelp = "Its name, ID or address, or a unique part of one."
  static let headphone: ArgumentHelp =
    "Its name, ID or address, or a unique part of one (default: the one used last)."
}

/// An optional headphone and an optional value: `battery aurora left`, `battery left`.
struct HeadphoneArguments<Value: NamedArgument>: ParsableArguments {
  @Argument(
    help: .init(ArgumentHelp.headphone.abstract, valueName: "headphone"), completion: .headphones)
  var first: String?

  @Argument(help: Value.help)
  var second: Value?

  private var alone: Value? { second == nil ? first.flatMap(Value.init(argument:)) : nil }

  var value: Value? { second ?? alone }
  /// The headphone; one with the name of a value must be named by `--device`.
  var headphone: String? { alone == nil ? first : nil }

  func validate() throws {
    guard let first, let second, Value.allValueStrings.contains(first.lowercased()) else { return }
    throw ValidationError(
      "\"\(first)\" and \"\(second.name)\" exclude each other\ngive one of them")
  }
}
