import Companion
import Glibc
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing

@Suite struct `The file of a battery history` {
  private let temporary = TemporaryFolder()
  private let id = HeadphoneID(rawValue: "f0f1f2f3f4f5")
  private var known: KnownHeadphones { KnownHeadphones(in: temporary.state) }
  private var file: PrivateFile { temporary.state.file("battery-f0f1f2f3f4f5.json") }

  private func sample(_ minute: Int64, isFirst: Bool = false) -> ChargeSample {
    var sample = ChargeSample(minute: minute, isFirst: isFirst)
    sample[.left] = ChargeSample.Charge(level: 80, isCharging: false)
    sample[.case] = ChargeSample.Charge(level: 100, isCharging: true)
    return sample
  }

  @Test func `keeps samples in a few bytes each, for this user only`() throws {
    let samples = [sample(29_921_163, isFirst: true), sample(29_921_175)]
    for sample in samples { try known.keep(sample, of: id) }
    #expect(try known.charges(of: id).samples == samples)
    let text = String(decoding: try file.read() ?? [], as: UTF8.self)
    #expect(text.contains("[29921163,80,null,100,12],[29921175,80,null,100,4]"))
    var status = stat()
    #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func `is bounded, and goes with its headphone`() throws {
    let rows = (0..<3000).map { "[\($0),1,2,3,0]" }.joined(separator: ",")
    try file.replace(with: Array(#"{"version":1,"charges":[\#(rows)]}"#.utf8))
    try known.keep(sample(4000), of: id)
    let samples = try known.charges(of: id).samples
    #expect(samples.count == BatteryHistory.most && samples.last?.minute == 4000)
    try known.forget(id)
    #expect(try known.charges(of: id) == BatteryHistory())
    #expect(try file.read() == nil)
  }

  @Test(arguments: [
    "7", "[]", "[1,2,3,4]", "[1,2,3,4,0,0]", "[-1,2,3,4,0]", "[1e3,2,3,4,0]", "[1,101,3,4,0]",
    "[1,-1,3,4,0]", #"[1,"2",3,4,0]"#, "[1,2,3,4,16]", "[1,2,3,4,null]",
    "[9223372036854775807,1,1,1,0]", #"{"minute":1}"#,
  ])
  func `leaves out what no headphone reports`(row: String) throws {
    try file.replace(with: Array(#"{"version":1,"charges":[\#(row),[5,80,null,100,4]]}"#.utf8))
    #expect(try known.charges(of: id).samples == [sample(5)])
  }

  @Test(arguments: ["", "[]", #"{"version":2,"charges":[]}"#, #"{"version":1}"#, "\u{0}"])
  func `that makes no sense is reported and left alone`(text: String) throws {
    try file.replace(with: Array(text.utf8))
    #expect(throws: FileError.self) { try known.charges(of: id) }
    #expect(throws: FileError.self) { try known.keep(sample(1), of: id) }
    #expect(try file.read() == Array(text.utf8))
  }
}
