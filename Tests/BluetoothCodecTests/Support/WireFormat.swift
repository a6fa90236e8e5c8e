import BluetoothCodec
import Testing

/// A type that is decoded from bytes and encoded to bytes.
protocol WireFormat: Hashable, Sendable {
  init(decoding bytes: Bytes) throws(MalformedBytes)
  func encoded() throws(MalformedBytes) -> [UInt8]
  /// Valid packets of all kinds with their values.
  static var samples: [Sample<Self>] { get }
}

/// A packet and its value.
struct Sample<Format: WireFormat>: Sendable, CustomTestStringConvertible {
  let bytes: Bytes
  let value: Format

  init(_ digits: String, _ value: Format) {
    bytes = hex(digits)
    self.value = value
  }

  var testDescription: String { "\(value)" }

  /// Checks that decoding returns the value, encoding the bytes, and each prefix an error or a
  /// value.
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
  /// Returns the error of decoding bytes, or nil if they are valid.
  static func rejection(of digits: String) -> MalformedBytes? {
    do throws(MalformedBytes) {
      _ = try Self(decoding: hex(digits))
      return nil
    } catch {
      return error
    }
  }
}
