import BluetoothCodec
import Testing

/// What is decoded from bytes and encoded to them.
protocol WireFormat: Hashable, Sendable {
  init(decoding bytes: Bytes) throws(MalformedBytes)
  func encoded() throws(MalformedBytes) -> [UInt8]
  /// Valid packets and what they mean: all kinds that this format has.
  static var samples: [Sample<Self>] { get }
}

/// A packet, and what it means.
struct Sample<Format: WireFormat>: Sendable, CustomTestStringConvertible {
  let bytes: Bytes
  let value: Format

  init(_ digits: String, _ value: Format) {
    bytes = hex(digits)
    self.value = value
  }

  var testDescription: String { "\(value)" }

  /// Decoding gives the value, encoding the bytes, and each prefix an error or a value.
  func expectToHold(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try Format(decoding: bytes) == value, sourceLocation: sourceLocation)
    #expect(
      digits(try value.encoded()) == digits(bytes), "encoding", sourceLocation: sourceLocation)
    for count in 0..<bytes.count {
      do throws(MalformedBytes) {
        let shorter = try Format(decoding: bytes.prefix(count))
        #expect(shorter != value, "\(count) bytes are enough", sourceLocation: sourceLocation)
      } catch {
        #expect((0...count).contains(error.offset), "\(error)", sourceLocation: sourceLocation)
      }
    }
  }
}

extension WireFormat {
  /// The error that some bytes are.
  static func rejection(of digits: String) -> MalformedBytes? {
    do throws(MalformedBytes) {
      _ = try Self(decoding: hex(digits))
      return nil
    } catch {
      return error
    }
  }
}
