import BluetoothAttributes
import BluetoothCodec
import Companion
import Glibc
import HeadphoneProtocols
import JSON
import TestSupport
import Testing

@testable import Persistence

/// State that earlier versions wrote, with a folder of `Formats` for each change of the format.
///
/// The newest folder has the current format: a new member requires a new folder, and older ones
/// stay.
@Suite struct FormatTests {
  private static let formats = ["2026-11-21", "2026-11-22", "2026-11-25", "2026-11-28"]
  private static let files = [
    "devices.json", "bonds.json", "gatt-f0f1f2f3f4f5.json", "battery-f0f1f2f3f4f5.json",
    "discharges-f0f1f2f3f4f5.json", "equaliser.json", "update-f0f1f2f3f4f5.json",
  ]

  private let folder = TemporaryFolder()
  private var known: KnownHeadphones { KnownHeadphones(in: folder.state) }

  /// Copies the state of a day into the folder.
  private func restore(_ day: String) throws {
    for file in Self.files {
      guard let bytes = try fixture(day, file) else { continue }
      try folder.state.file(file).replace(with: bytes)
    }
  }

  private func fixture(_ day: String, _ file: String) throws -> [UInt8]? {
    let here = "\(#filePath)".split(separator: "/").dropLast().joined(separator: "/")
    return try PrivateFile(path: "/\(here)/Formats/\(day)/\(file)").read()
  }

  @Test(arguments: formats)
  func `state of each format is read`(day: String) async throws {
    try restore(day)
    let headphone = try #require(try known.all().first)
    #expect(headphone.id == ear && headphone.name == "Ear" && headphone.address == earPeer)
    #expect(headphone.publicAddress == "00:00:5E:00:53:01")
    #expect(headphone.lastUsed?.milliseconds == 1_795_269_802_000)
    #expect(headphone.sound.hasPlayed && !headphone.sound.isDeclined)
    let bond = try #require(await BondFile(in: folder.state).bonds().first)
    #expect(bond.identity == earPeer && bond.identityResolvingKey != nil)
    #expect(bond.longTermKeys.map(\.encryptionSize) == [16])
    let discovery = try #require(known.discovery(of: ear))
    #expect(discovery.firmware == "1.4.2")
    #expect(discovery.cache.database.services.map(\.isPrimary) == [true])
    #expect(try SavedEQs(in: folder.state).all().map(\.name) == ["Late"])
    let update = try #require(known.unfinishedUpdate(of: ear))
    #expect(update.percent == 37 && update.version == FirmwareVersion(1, 5, 0))
  }

  @Test(arguments: formats.dropFirst())
  func `what later formats added is read`(day: String) throws {
    try restore(day)
    let headphone = try #require(try known.all().first)
    #expect(headphone.serial == SerialNumber(manufacturer: "Example", model: "E1", number: "123"))
    #expect(headphone.soundPin != nil && headphone.setKey != nil)
    #expect(headphone.memberAddresses.count == 1)
    let samples = try known.charges(of: ear).samples
    #expect(samples.map(\.minute) == [29_921_163, 29_921_175])
    #expect(samples.map { $0[.left]?.level } == [80, 70])
    #expect(samples.map(\.isFirst) == [true, false])
  }

  @Test func `the newest format is the one that is written`() async throws {
    let newest = try #require(Self.formats.last)
    try restore(newest)
    let headphone = try #require(try known.all().first)
    let history = try known.charges(of: ear)
    let discovery = try #require(known.discovery(of: ear))
    let presets = try SavedEQs(in: folder.state).all()
    try known.forget(ear)
    try known.remember(headphone)
    try known.keep(history.samples, of: ear)
    for discharge in history.discharges { try known.keep(discharge, of: ear) }
    try known.keep(discovery.cache, of: ear, firmware: discovery.firmware, isBonded: true)
    _ = try SavedEQs(in: folder.state).apply(.delete("Late"))
    for preset in presets { _ = try SavedEQs(in: folder.state).apply(.keep(preset)) }
    for file in Self.files where !file.hasPrefix("update") && file != "bonds.json" {
      let written = try #require(try folder.state.file(file).read(), "\(file)")
      let expected = try #require(try fixture(newest, file), "\(file)")
      #expect(String(decoding: written, as: UTF8.self) == String(decoding: expected, as: UTF8.self))
    }
  }

  @Test(arguments: formats)
  func `a change keeps what the format had`(day: String) throws {
    try restore(day)
    let before = try known.charges(of: ear).samples
    var headphone = try #require(try known.all().first)
    headphone.name = "Renamed"
    try known.remember(headphone)
    try known.keep([ChargeSample(minute: 29_930_000)], of: ear)
    #expect(try known.all() == [headphone])
    #expect(try known.charges(of: ear).samples.dropLast() == before[...])
  }

  /// The file of a newer program, with unknown flags and modes.
  @Test func `charges of a newer program stay`() throws {
    let foreign = "[29921170,75,null,100,1024]"
    try folder.state.file("battery-\(ear.rawValue).json").replace(
      with: Array(#"{"version":1,"unit":"%","charges":[\#(foreign)]}"#.utf8))
    try folder.state.file("discharges-\(ear.rawValue).json").replace(
      with: Array(#"{"version":1,"discharges":[[29921170,60,9,80,70,null,null]]}"#.utf8))
    try known.keep([ChargeSample(minute: 29_930_000)], of: ear)
    try known.keep(
      Discharge(
        minute: 29_930_000, minutes: 60, mode: nil, left: Discharge.Drop(from: 80, to: 70),
        right: nil), of: ear)
    let charges = try folder.state.file("battery-\(ear.rawValue).json").read() ?? []
    #expect(String(decoding: charges, as: UTF8.self).contains(foreign))
    #expect(try JSON(parsing: charges)["unit"]?.text == "%")
    let discharges = try folder.state.file("discharges-\(ear.rawValue).json").read() ?? []
    #expect(try JSON(parsing: discharges)["discharges"]?.elements?.count == 2)
  }
}
