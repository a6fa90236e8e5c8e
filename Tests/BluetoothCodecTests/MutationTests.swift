import BluetoothCodec
import Testing

/// A decoder to be fed with malformed packets.
struct FuzzedDecoder: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let run: @Sendable (_ count: Int) -> Findings

  init<Format: WireFormat>(_: Format.Type, seed: UInt64) {
    testDescription = "\(Format.self)"
    run = { count in
      var mutator = Mutator(samples: Format.samples.map { Array($0.bytes) }, seed: seed)
      var findings = Findings()
      for _ in 0..<count { findings.add(Format.self, mutator.next()) }
      return findings
    }
  }
}

/// The results of a decoder.
struct Findings {
  var decoded = 0
  var rejected = 0
  /// The inputs whose value changes by encoding and decoding, or whose error is out of place.
  var wrong: [String] = []

  mutating func add<Format: WireFormat>(_: Format.Type, _ input: [UInt8]) {
    let bytes = embedded(input)
    do throws(MalformedBytes) {
      let value = try Format(decoding: bytes)
      decoded += 1
      if Self.again(value) != value { wrong.append("\(digits(input)) as \(value)") }
    } catch {
      rejected += 1
      if !(0...input.count).contains(error.offset) { wrong.append("\(digits(input)): \(error)") }
    }
  }

  private static func again<Format: WireFormat>(_ value: Format) -> Format? {
    try? Format(decoding: embedded(try value.encoded()))
  }
}

@Suite struct MutationTests {
  static let decoders = [
    FuzzedDecoder(ATTClientPDU.self, seed: 1),
    FuzzedDecoder(ATTServerPDU.self, seed: 2),
    FuzzedDecoder(AdvertisingData.self, seed: 3),
    FuzzedDecoder(HCICommand.self, seed: 4),
    FuzzedDecoder(HCIEvent.self, seed: 5),
    FuzzedDecoder(HCIPacket.self, seed: 6),
    FuzzedDecoder(ManagementCommandPacket.self, seed: 7),
    FuzzedDecoder(ManagementEventPacket.self, seed: 8),
    FuzzedDecoder(BtsnoopHeader.self, seed: 9),
    FuzzedDecoder(BtsnoopRecord.self, seed: 10),
  ]

  @Test(arguments: decoders)
  func `broken packets give an error or a value that survives encoding`(_ decoder: FuzzedDecoder) {
    let count = 100_000
    let findings = decoder.run(count)
    #expect(findings.wrong == [])
    #expect(findings.decoded + findings.rejected == count)
    #expect(findings.decoded > count / 100, "the mutations leave hardly a packet whole")
    #expect(findings.rejected > count / 100, "the mutations break hardly a packet")
  }
}
