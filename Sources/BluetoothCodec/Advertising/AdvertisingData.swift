/// The AD structures of an advertisement or a scan response, in order.
///
/// Each structure begins with its length in one byte, which counts the type (1 byte) and the data;
/// a length of 0 ends the data (Core 5.4, Vol 3, Part C, 11; CSS Part A).
///
/// ```swift
/// let data = try AdvertisingData(decoding: [0x02, 0x01, 0x06, 0x04, 0x09, 0x45, 0x61, 0x72])
/// print(data.localName ?? "unnamed")                      // Ear
/// print(data.flags?.contains(.brEdrNotSupported) == true)  // true
/// ```
public struct AdvertisingData: Hashable, Sendable {
  /// The structures in the order sent; a type may occur more than once.
  public var structures: [AdvertisingStructure]

  public init(_ structures: [AdvertisingStructure] = []) { self.structures = structures }

  /// Decodes all structures into slices of `bytes`, or throws the first error.
  ///
  /// ``salvaging(_:)`` keeps the rest. A legacy advertisement has 31 bytes at most, an extended one
  /// 1650.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let (data, problem) = Self.salvaging(bytes)
    if let problem { throw problem }
    self = data
  }

  /// Decodes the well-formed structures and returns them with the first error, if any.
  ///
  /// A malformed structure hides the others only if it exceeds the end.
  public static func salvaging(
    _ bytes: Bytes
  ) -> (data: AdvertisingData, problem: MalformedBytes?) {
    var data = AdvertisingData()
    var problem: MalformedBytes?
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

  /// Returns the structures without padding; throws `.tooLong` if a length byte cannot count one.
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
