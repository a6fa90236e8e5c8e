import BluetoothCodec
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
    for sample in samples { try known.keep([sample], of: id) }
    #expect(try known.charges(of: id).samples == samples)
    let text = String(decoding: try file.read() ?? [], as: UTF8.self)
    #expect(text.contains("[29921163,80,null,100,12],[29921175,80,null,100,4]"))
    var status = stat()
    #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func `is bounded, and goes with its headphone`() throws {
    let rows = (0..<3000).map { "[\($0),1,2,3,0]" }.joined(separator: ",")
    try file.replace(with: Array(#"{"version":1,"charges":[\#(rows)]}"#.utf8))
    try known.keep([sample(4000)], of: id)
    let samples = try known.charges(of: id).samples
    #expect(samples.count == BatteryHistory.most && samples.last?.minute == 4000)
    try known.forget(id)
    #expect(try known.charges(of: id) == BatteryHistory())
    #expect(try file.read() == nil)
  }

  @Test(arguments: [
    "7", "[]", "[1,2,3,4]", "[1,2,3,4,0,0]", "[-1,2,3,4,0]", "[1e3,2,3,4,0]", "[1,101,3,4,0]",
    "[1,-1,3,4,0]", #"[1,"2",3,4,0]"#, "[1,2,3,4,512]", "[1,2,3,4,320]", "[1,2,3,4,null]",
    "[9223372036854775807,1,1,1,0]", #"{"minute":1}"#,
  ])
  func `leaves out what no headphone reports`(row: String) throws {
    try file.replace(with: Array(#"{"version":1,"charges":[\#(row),[5,80,null,100,4]]}"#.utf8))
    #expect(try known.charges(of: id).samples == [sample(5)])
  }

  @Test func `keeps how a sample came about`() throws {
    var sample = sample(29_921_163)
    (sample.isResumed, sample.isCoarse, sample.mode) = (true, true, .adaptive)
    try known.keep([sample], of: id)
    #expect(try known.charges(of: id).samples == [sample])
  }

  @Test func `keeps each discharge in a few bytes, for ever`() throws {
    let discharges = (0..<2000).map { number in
      Discharge(
        minute: 29_000_000 + number * 700, minutes: 185, mode: number % 2 == 0 ? .off : nil,
        left: .init(from: 95, to: 42), right: number % 3 == 0 ? nil : .init(from: 96, to: 40))
    }
    let rows = discharges.dropLast().map {
      "[\($0.minute),185,\($0.mode == nil ? "null" : "0"),95,42,"
        + ($0.right == nil ? "null,null]" : "96,40]")
    }
    let discharged = temporary.state.file("discharges-f0f1f2f3f4f5.json")
    try discharged.replace(
      with: Array(#"{"version":1,"discharges":[\#(rows.joined(separator: ","))]}"#.utf8))
    try known.keep(try #require(discharges.last), of: id)
    #expect(try known.charges(of: id).discharges == discharges)
    #expect(try (discharged.read() ?? []).count < 2000 * 40)
    try known.forget(id)
    #expect(try discharged.read() == nil)
  }

  @Test(arguments: [
    "7", "[]", "[1,2,3,4,5,6]", "[-1,30,null,90,50,90,50]", "[1,0,null,90,50,90,50]",
    "[1,30,9,90,50,90,50]", "[1,30,null,null,null,null,null]", "[1,30,null,50,90,101,0]",
  ])
  func `leaves out a discharge that none can be`(row: String) throws {
    try temporary.state.file("discharges-f0f1f2f3f4f5.json").replace(
      with: Array(#"{"version":1,"discharges":[\#(row)]}"#.utf8))
    #expect(try known.charges(of: id).discharges == [])
  }

  @Test func `when buds were last heard is kept with a headphone that is known`() throws {
    let address = PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .public)
    var headphone = KnownHeadphone(id: id, name: "Ear", address: address)
    headphone.sightings[.left] = Sighting(
      at: Timestamp(milliseconds: 1_795_269_800_000, utcOffset: 3600), place: .worn)
    try known.keep(.sightings, of: headphone)
    #expect(try known.all() == [])
    try known.remember(KnownHeadphone(id: id, name: "Ear", address: address))
    try known.keep(.sightings, of: headphone)
    #expect(try known.all().map(\.sightings) == [headphone.sightings])
    let devices = temporary.state.file("devices.json")
    for nonsense in ["7", "[7]", "[[1,2]]", "[[-1,0,null]]", "[[1,100000,null]]"] {
      let entry =
        #"{"id":"f0f1f2f3f4f5","address":"F0:F1:F2:F3:F4:F5","addressType":"public","#
        + #""sightings":\#(nonsense)}"#
      try devices.replace(with: Array(#"{"version":1,"devices":[\#(entry)]}"#.utf8))
      #expect(try known.all().map(\.sightings) == [BudSightings()], "\(nonsense)")
    }
  }

  @Test(arguments: ["", "[]", #"{"version":2,"charges":[]}"#, #"{"version":1}"#, "\u{0}"])
  func `that makes no sense is reported and left alone`(text: String) throws {
    try file.replace(with: Array(text.utf8))
    #expect(throws: FileError.self) { try known.charges(of: id) }
    #expect(throws: FileError.self) { try known.keep([sample(1)], of: id) }
    #expect(try file.read() == Array(text.utf8))
  }
}
