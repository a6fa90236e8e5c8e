/// The AD structures of an advertisement or a scan response, in order (Core 5.4, Vol 3, Part C, 11;
/// CSS Part A).
///
/// ```swift
/// let data = try AdvertisingData(decoding: [0x02, 0x01, 0x06, 0x04, 0x09, 0x45, 0x61, 0x72])
/// print(data.localName ?? "unnamed")                      // Ear
/// print(data.flags?.contains(.brEdrNotSupported) == true)  // true
/// ```
///
/// Each structure is preceded by its length, which counts the type and the data:
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | length *n*; 0 ends the data |
/// | 1 | 1 | AD type (Assigned Numbers, 2.3) |
/// | 2 | *n* - 1 | data |
public struct AdvertisingData: Hashable, Sendable {
  /// The structures in the order of the air; a type may occur more than once.
  public var structures: [AdvertisingStructure]

  public init(_ structures: [AdvertisingStructure] = []) { self.structures = structures }

  /// Decodes all structures; values are slices of `bytes`.
  ///
  /// A structure of length 0 ends the data early, as padding does.
  ///
  /// - Parameter bytes: up to 31 bytes from a legacy advertisement, up to 1650 from an extended
  ///   one.
  /// - Throws: the first error. ``salvaging(_:)`` keeps the rest.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let (data, problem) = Self.salvaging(bytes)
    if let problem { throw problem }
    self = data
  }

  /// Decodes what is well-formed, and reports the first error.
  ///
  /// One malformed structure of a careless peripheral does not hide its name, as long as the
  /// lengths are right. What follows a structure that exceeds the end is lost.
  ///
  /// - Parameter bytes: any bytes.
  /// - Returns: the well-formed structures; the error is `nil` if all are.
  public static func salvaging(
    _ bytes: Bytes
  ) -> (data: AdvertisingData, problem: MalformedBytes?) {
    var data = AdvertisingData()
    var problem: MalformedBytes?
    // Enough for the 31 bytes of most earbuds; the array grows for others.
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

  /// The bytes for the air, without padding.
  ///
  /// - Throws: `.tooLong` if a structure exceeds its length byte.
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
