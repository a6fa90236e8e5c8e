internal import BluetoothCodec
internal import GATT
internal import HeadphoneProtocols
public import JSON

/// The attribute database with its values: `earshot inspect`.
///
/// ```
/// Battery (180F)  0010–0013
///   0012  Battery Level (2A19)  [read, notify]
///         53  83%
/// ```
///
/// JSON of schema 1: `services`, each with `uuid`, `name`, `start`, `end` and `characteristics`;
/// these with `uuid`, `name`, `handle`, `properties`, `value` (hexadecimal), `text`, `error` and
/// `descriptors`. A value that could not be read is null, with its `error`.
public struct DatabaseReport: Report {
  private let database: Database
  private let values: [UInt16: AttributeValue]

  /// Creates the report.
  ///
  /// - Parameters:
  ///   - database: with descriptors.
  ///   - values: by handle; what is missing was not read.
  init(_ database: Database, values: [UInt16: AttributeValue]) {
    self.database = database
    self.values = values
  }

  public var text: String { database.services.flatMap(lines).joined(separator: "\n") }

  /// A service and everything in it.
  private func lines(_ service: Service) -> [String] {
    let range =
      "\(hexadecimal(service.range.start, width: 4))–\(hexadecimal(service.range.end, width: 4))"
    return ["\(service.uuid.title)  \(range)"] + service.characteristics.flatMap(lines)
  }

  /// A characteristic, its value, and its descriptors.
  ///
  /// Values are hexadecimal, with their meaning behind them where it is known.
  private func lines(_ characteristic: Characteristic) -> [String] {
    let handle = hexadecimal(characteristic.handle, width: 4)
    let head = "  \(handle)  \(characteristic.uuid.title)  [\(characteristic.properties)]"
    let value = values[characteristic.handle].map { $0.text(as: characteristic.uuid) }
    return [head] + value.map { ["        \($0)"] }.list
      + (characteristic.descriptors ?? []).map { descriptor in
        let value = values[descriptor.handle].map { "  \($0.text(as: descriptor.uuid))" } ?? ""
        return "    \(hexadecimal(descriptor.handle, width: 4))  \(descriptor.uuid.title)\(value)"
      }
  }

  public var json: JSON {
    ["schema": 1, "services": .array(database.services.map(json))]
  }

  /// The service as JSON.
  private func json(_ service: Service) -> JSON {
    .object(
      service.uuid.members + [
        .init("start", JSON(service.range.start)), .init("end", JSON(service.range.end)),
        .init("characteristics", .array(service.characteristics.map(json))),
      ])
  }

  /// The characteristic as JSON, with its descriptors.
  private func json(_ characteristic: Characteristic) -> JSON {
    .object(
      characteristic.uuid.members + [
        .init("handle", JSON(characteristic.handle)),
        .init("properties", .array(characteristic.properties.names.map { .string($0) })),
      ] + AttributeValue.members(values[characteristic.handle]) + [
        .init(
          "descriptors",
          .array(
            (characteristic.descriptors ?? []).map { descriptor in
              .object(
                descriptor.uuid.members + [.init("handle", JSON(descriptor.handle))]
                  + AttributeValue.members(values[descriptor.handle]))
            }))
      ])
  }
}

/// The values of one attribute type: `earshot read`.
///
/// Text: a line of hexadecimal digits per value. JSON of schema 1: `values`, each with `handle`,
/// `value`, `text` and `error`.
public struct ValuesReport: Report {
  private let values: [(handle: UInt16, value: AttributeValue)]

  init(_ values: [(UInt16, AttributeValue)]) { self.values = values }

  public var text: String { values.map { $0.value.text(as: nil) }.joined(separator: "\n") }

  public var json: JSON {
    [
      "schema": 1,
      "values": .array(
        values.map { handle, value in
          .object([.init("handle", JSON(handle))] + AttributeValue.members(value))
        }),
    ]
  }
}

extension AttributeValue {
  /// The value as hexadecimal digits and its interpretation: `45 61 72  "Ear"`.
  fileprivate func text(as type: BluetoothUUID?) -> String {
    switch self {
    case .known(let bytes):
      let octets = bytes.map { hexadecimal($0, width: 2) }.joined(separator: " ")
      let meaning = type.flatMap { bytes.meaning(as: $0) } ?? bytes.quoted
      let displayText = meaning.map { "  " + displayable($0) } ?? ""
      return octets.isEmpty ? "(empty)" : octets + displayText
    case .unreadable(let why): return "not readable: \(why)"
    }
  }

  /// `value`, `text` and `error`; all null where nothing was read.
  fileprivate static func members(_ value: AttributeValue?) -> [JSON.Member] {
    switch value {
    case .known(let bytes):
      [
        .init("value", .string(bytes.map { hexadecimal($0, width: 2) }.joined())),
        .init("text", JSON(bytes.displayText)), .init("error", nil),
      ]
    case .unreadable(let why):
      [.init("value", nil), .init("text", nil), .init("error", .string(why))]
    case nil: [.init("value", nil), .init("text", nil), .init("error", nil)]
    }
  }
}

extension [UInt8] {
  /// The bytes as text; nil if they are not printable.
  var displayText: String? {
    guard count > 1, let text = String(validating: self, as: UTF8.self),
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return nil }
    return text
  }
}

extension BluetoothUUID {
  /// The name and the UUID: "Battery Level (2A19)".
  var title: String {
    AttributeNames.name(of: self).map { "\($0) (\(self))" } ?? "\(self)"
  }

  /// `uuid` and `name`; the name is null for an unknown type.
  fileprivate var members: [JSON.Member] {
    [.init("uuid", .string("\(self)")), .init("name", JSON(AttributeNames.name(of: self)))]
  }
}

extension Optional where Wrapped == [String] {
  /// The strings; none for nil.
  fileprivate var list: [String] { self ?? [] }
}
