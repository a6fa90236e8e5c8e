/// The AD structures of an advertisement or a scan response, in order (Core 5.4, Vol 3, Part C, 11;
/// CSS Part A).
///
/// ```swift
/// let data = try AdvertisingData(decoding: [0x04, 0x09, 0x45, 0x61, 0x72])
/// data.localName  // "Ear"
/// ```
public struct AdvertisingData: Hashable, Sendable {
  /// In the order of the air; a type may come more than once.
  public var structures: [AdvertisingStructure]

  public init(_ structures: [AdvertisingStructure] = []) { self.structures = structures }

  /// Reads all structures; values are slices of `bytes`.
  ///
  /// A structure of length 0 ends the data early, as padding does.
  ///
  /// - Throws: the first thing that is wrong. `salvaging(_:)` keeps the rest.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let (data, problem) = Self.salvaging(bytes)
    if let problem { throw problem }
    self = data
  }

  /// Reads what can be read, and says what was wrong first.
  ///
  /// One bad structure of a sloppy peripheral does not hide its name: the lengths before and after
  /// it still fit. What follows a structure that runs past the end is lost.
  public static func salvaging(
    _ bytes: Bytes
  ) -> (data: AdvertisingData, problem: MalformedBytes?) {
    var data = AdvertisingData()
    var problem: MalformedBytes?
    // What an earbud's 31 bytes hold; the array grows for others.
    data.structures.reserveCapacity(4)
    var reader = ByteReader(bytes, of: "advertising data")
    do throws(MalformedBytes) {
      while !reader.isAtEnd {
        let length = try reader.uint8()
        guard length > 0 else { break }
        var section = try reader.section(Int(length))
        do throws(MalformedBytes) {
          data.structures.append(try AdvertisingStructure(&section))
        } catch {
          problem = problem ?? error
        }
      }
    } catch {
      problem = problem ?? error
    }
    return (data, problem)
  }

  /// The bytes that go on the air, unpadded.
  ///
  /// - Throws: `.tooLong` if a structure is longer than its length byte can count.
  public func encoded() throws(MalformedBytes) -> [UInt8] {
    var bytes: [UInt8] = []
    for structure in structures {
      let start = bytes.count
      bytes.append(0)
      structure.append(to: &bytes)
      let count = bytes.count - start - 1
      guard let length = UInt8(exactly: count) else {
        throw MalformedBytes(
          "advertising structure", at: start, .tooLong(count: count, limit: Int(UInt8.max)))
      }
      bytes[start] = length
    }
    return bytes
  }
}
