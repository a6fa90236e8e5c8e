internal import BluetoothAttributes
internal import BluetoothCodec
internal import JSON

/// The JSON form of a discovered database: handles as numbers, UUIDs as text.
///
/// ```json
/// {
///   "version": 1, "hash": null,
///   "services": [
///     {
///       "uuid": "180F", "start": 16, "end": 19, "primary": true, "includes": [],
///       "characteristics": [
///         {
///           "uuid": "2A19", "properties": 18, "declaration": 17, "handle": 18, "end": 19,
///           "descriptors": [{"uuid": "2902", "handle": 19}]
///         }
///       ]
///     }
///   ]
/// }
/// ```
///
/// The file is validated like a server's responses. `descriptors` is null if they were not
/// discovered, and `hash` if the server has none.
extension GATTCache {
  /// The version of the form; caches with another version are discarded.
  private static let version: Int64 = 1

  var json: JSON {
    [
      "version": .integer(Self.version),
      "hash": JSON(hash) { .array($0.bytes.map { .integer(Int64($0)) }) },
      "services": .array(database.services.map(\.json)),
    ]
  }

  init?(json: JSON) {
    guard json["version"]?.wholeNumber == Self.version, let hash = json["hash"],
      let services = json["services"]?.all(Service.init(json:))
    else { return nil }
    let bytes = hash.all { $0.wholeNumber.flatMap(UInt8.init(exactly:)) }
    let proof = bytes.flatMap { DatabaseHash($0) }
    guard proof != nil || hash == .null else { return nil }
    self.init(hash: proof, database: Database(services: services))
  }
}

extension Service {
  fileprivate var json: JSON {
    [
      "uuid": .string("\(uuid)"), "start": JSON(range.start), "end": JSON(range.end),
      "primary": JSON(isPrimary),
      "characteristics": .array(characteristics.map(\.json)),
      "includes": .array(
        includedServices.map {
          [
            "handle": JSON($0.handle), "uuid": .string("\($0.uuid)"), "start": JSON($0.range.start),
            "end": JSON($0.range.end),
          ]
        }),
    ]
  }

  fileprivate init?(json: JSON) {
    guard let uuid = json.uuid, let range = json.range,
      let characteristics = json["characteristics"]?.all(Characteristic.init(json:)),
      let includes = json["includes"]?.all({ json -> IncludedService? in
        guard let handle = json.handle("handle"), let range = json.range, let uuid = json.uuid
        else { return nil }
        return IncludedService(handle: handle, range: range, uuid: uuid)
      }),
      characteristics.allSatisfy({ range.contains($0.declaration) && $0.end <= range.end })
    else { return nil }
    self.init(
      uuid: uuid, range: range, isPrimary: json["primary"] != .bool(false),
      characteristics: characteristics, includedServices: includes)
  }
}

extension Characteristic {
  fileprivate var json: JSON {
    [
      "uuid": .string("\(uuid)"), "properties": JSON(properties.rawValue),
      "declaration": JSON(declaration), "handle": JSON(handle), "end": JSON(end),
      "descriptors": JSON(descriptors) { descriptors in
        .array(descriptors.map { ["uuid": .string("\($0.uuid)"), "handle": JSON($0.handle)] })
      },
    ]
  }

  fileprivate init?(json: JSON) {
    guard let uuid = json.uuid, let declaration = json.handle("declaration"),
      let handle = json.handle("handle"), let end = json.handle("end"),
      declaration < handle, handle <= end,
      let properties = json["properties"]?.wholeNumber.flatMap(UInt8.init(exactly:)),
      let descriptors = json["descriptors"]
    else { return nil }
    var known: [Descriptor]?
    if descriptors != .null {
      known = descriptors.all { json in
        guard let uuid = json.uuid, let own = json.handle("handle"), own > handle, own <= end
        else { return nil }
        return Descriptor(uuid: uuid, handle: own)
      }
      guard known != nil else { return nil }
    }
    self.init(
      uuid: uuid, properties: CharacteristicProperties(rawValue: properties),
      declaration: declaration, handle: handle, end: end, descriptors: known)
  }
}

extension JSON {
  fileprivate var uuid: BluetoothUUID? { self["uuid"]?.text.flatMap { BluetoothUUID($0) } }

  /// Returns the handle at `key`, or nil unless it is in 0x0001 to 0xFFFF.
  fileprivate func handle(_ key: String) -> UInt16? {
    self[key]?.wholeNumber.flatMap(UInt16.init(exactly:)).flatMap { $0 == 0 ? nil : $0 }
  }

  fileprivate var range: ATTHandleRange? {
    guard let start = handle("start"), let end = handle("end"), start <= end else { return nil }
    return ATTHandleRange(start: start, end: end)
  }

  fileprivate func all<Value>(_ value: (JSON) -> Value?) -> [Value]? {
    guard let elements else { return nil }
    let values = elements.compactMap(value)
    return values.count == elements.count ? values : nil
  }
}
