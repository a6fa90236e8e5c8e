internal import BluetoothAttributes
internal import BluetoothCodec
internal import HeadphoneProtocols
package import JSON

/// The report of `earshot inspect`: the attribute database with its values.
package struct DatabaseReport: ObjectReport {
  private let database: Database
  private let values: [UInt16: AttributeValue]

  /// Creates the report; attributes that are missing in `values` were not read.
  init(_ database: Database, values: [UInt16: AttributeValue]) {
    self.database = database
    self.values = values
  }

  package var text: String { database.services.flatMap(lines).joined(separator: "\n") }

  private func lines(_ service: Service) -> [String] {
    let range =
      "\(hexadecimal(service.range.start, width: 4))–\(hexadecimal(service.range.end, width: 4))"
    return ["\(service.uuid.title)  \(range)"] + service.characteristics.flatMap(lines)
  }

  /// Returns lines with hexadecimal values, followed by their meaning if known.
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

  package static let schemaName = SchemaName("inspect", "`earshot inspect --json`")

  package static let properties: [Property<Self>] = [
    Property("services") { report in
      report.database.services.map { ServiceValues(service: $0, values: report.values) }
    }
  ]
}

private struct ServiceValues: JSONObject {
  let service: Service
  let values: [UInt16: AttributeValue]

  static let properties: [Property<Self>] =
    Property<Self>.type(\.service.uuid) + [
      Property("start", \.service.range.start),
      Property("end", \.service.range.end),
      Property("characteristics") { service in
        service.service.characteristics.map {
          CharacteristicValues(characteristic: $0, values: service.values)
        }
      },
    ]
}

private struct CharacteristicValues: JSONObject {
  let characteristic: Characteristic
  let values: [UInt16: AttributeValue]

  static let properties: [Property<Self>] =
    Property<Self>.type(\.characteristic.uuid) + [
      Property("handle", \.characteristic.handle),
      Property("properties", \.characteristic.properties.names),
    ] + Property<Self>.reading { $0.values[$0.characteristic.handle] } + [
      Property("descriptors") { characteristic in
        (characteristic.characteristic.descriptors ?? []).map {
          DescriptorValue(descriptor: $0, value: characteristic.values[$0.handle])
        }
      }
    ]
}

private struct DescriptorValue: JSONObject {
  let descriptor: Descriptor
  let value: AttributeValue?

  static let properties: [Property<Self>] =
    Property<Self>.type(\.descriptor.uuid) + [Property<Self>("handle", \.descriptor.handle)]
    + Property<Self>.reading(\.value)
}

extension Property {
  fileprivate static func type(
    _ uuid: @escaping @Sendable (Root) -> BluetoothUUID
  ) -> [Property] {
    [
      Property("uuid", uuid),
      Property("name", { AttributeNames.name(of: uuid($0)) }, "null: the type is not known"),
    ]
  }

  /// Returns the members of a value, which are all null if nothing was read.
  fileprivate static func reading(
    _ value: @escaping @Sendable (Root) -> AttributeValue?
  ) -> [Property] {
    [
      Property("value", { value($0)?.digits }, matching: "^([0-9A-F]{2})*$", "hexadecimal"),
      Property("text", { value($0)?.bytes?.displayText }, "null: it is no text"),
      Property("error", { value($0)?.error }, "why it could not be read"),
    ]
  }
}

package struct ValuesReport: ObjectReport {
  private struct Entry: JSONObject {
    let handle: UInt16
    let value: AttributeValue

    static let properties: [Property<Self>] =
      [Property<Self>("handle", \.handle)] + Property<Self>.reading(\.value)
  }

  private let values: [Entry]

  init(_ values: [(UInt16, AttributeValue)]) {
    self.values = values.map { Entry(handle: $0, value: $1) }
  }

  package var text: String { values.map { $0.value.text(as: nil) }.joined(separator: "\n") }

  package static let schemaName = SchemaName("read", "`earshot read --json`")

  package static let properties: [Property<Self>] = [Property("values", \.values)]
}

extension AttributeValue {
  /// Returns the value as hexadecimal digits and its interpretation: `45 61 72  "Ear"`.
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

  fileprivate var bytes: [UInt8]? {
    guard case .known(let bytes) = self else { return nil }
    return bytes
  }

  fileprivate var digits: String? { bytes?.map { hexadecimal($0, width: 2) }.joined() }

  fileprivate var error: String? {
    guard case .unreadable(let why) = self else { return nil }
    return why
  }
}

extension [UInt8] {
  var displayText: String? {
    guard count > 1, let text = String(validating: self, as: UTF8.self),
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return nil }
    return text
  }
}

extension BluetoothUUID {
  /// "Battery Level (2A19)".
  var title: String {
    AttributeNames.name(of: self).map { "\($0) (\(self))" } ?? "\(self)"
  }
}

extension Optional where Wrapped == [String] {
  fileprivate var list: [String] { self ?? [] }
}
