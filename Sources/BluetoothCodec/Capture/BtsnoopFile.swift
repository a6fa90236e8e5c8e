/// A reader of a btsnoop file's records, without copying them.
///
/// ```swift
/// var file = try BtsnoopFile(bytes)
/// while let record = try file.next() {
///   print(record.time.microsecondsSince1970, record.data.count, "bytes")
/// }
/// ```
public struct BtsnoopFile: Sendable {
  /// The header, which determines the content of the records.
  public let header: BtsnoopHeader
  private var reader: ByteReader

  /// Decodes the header.
  ///
  /// - Parameter bytes: the whole file.
  /// - Throws: ``MalformedBytes`` for another identification or version.
  public init(_ bytes: Bytes) throws(MalformedBytes) {
    reader = ByteReader(bytes, of: "btsnoop file")
    header = try BtsnoopHeader(&reader)
  }

  /// The next record; `nil` at the end.
  ///
  /// - Throws: ``MalformedBytes`` if a record is malformed or, as in a capture that was killed,
  ///   truncated. The records before it are valid; none can be found after it.
  public mutating func next() throws(MalformedBytes) -> BtsnoopRecord? {
    guard !reader.isAtEnd else { return nil }
    var ahead = reader
    let record = try BtsnoopRecord(&ahead)
    reader = ahead
    return record
  }
}
