/// The records of a btsnoop file, one after the other, without copying them.
public struct BtsnoopFile: Sendable {
  /// Says what the records hold.
  public let header: BtsnoopHeader
  private var reader: ByteReader

  /// Reads the header.
  ///
  /// - Throws: ``MalformedBytes`` for another magic number, version or link type.
  public init(_ bytes: Bytes) throws(MalformedBytes) {
    reader = ByteReader(bytes, of: "btsnoop file")
    header = try BtsnoopHeader(&reader)
  }

  /// The next record; nil at the end.
  ///
  /// - Throws: where a record is wrong or, as in a capture that was killed, cut. What came before
  ///   is good; no record can be found behind it.
  public mutating func next() throws(MalformedBytes) -> BtsnoopRecord? {
    guard !reader.isAtEnd else { return nil }
    var ahead = reader
    let record = try BtsnoopRecord(&ahead)
    reader = ahead
    return record
  }
}
