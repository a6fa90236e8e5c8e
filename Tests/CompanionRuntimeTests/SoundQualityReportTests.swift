import AudioRoute
import BluetoothCodec
import Companion
import CompanionRuntime
import JSON
import Testing

@Suite struct SoundQualityReportTests {
  private static let log = [
    "2026-11-28 21:03:11.120 info earshot headphone=ear part=audio sound=codec: codec: LDAC to SBC",
    "2026-11-28 21:03:12.000 info earshot headphone=ear part=audio: audio output: Speakers",
    "2026-11-28 21:04:00.000 warning earshot headphone=bud part=link sound=link: link ended: away",
    "2026-11-28 21:05:00.000 info earshot part=audio sound=lost: sound: the sound server ended",
    "2026-11-28 21:06:00.000 info earshot headphone=ear sound=later: unknown to this version",
  ]

  private func report(_ log: [String] = log, of id: HeadphoneID?) -> SoundQualityReport {
    SoundQualityReport(
      SoundQualityFacts(
        audio: .running(
          AudioSnapshot(
            serverName: "pulseaudio", serverVersion: "16.1", defaultSink: nil, sinks: [])),
        name: "Ear \u{1B}[31m", use: SoundUse(profile: .a2dp, codec: "sbc"), condition: .music,
        survey: SoundSurvey(
          headphones: [
            .init(
              name: "Ear", address: "F0:F1:F2:F3:F4:F5",
              offered: [MediaCapabilities(codec: 0, bytes: [0xFF, 0xFF, 2, 53])],
              stream: MediaCapabilities(codec: 0, bytes: [0x21, 0x15, 2, 53]))
          ], log: log), address: "F0:F1:F2:F3:F4:F5"), of: id)
  }

  @Test func `the text has the findings, and what the log has of this headphone`() {
    let lines = report(of: HeadphoneID(rawValue: "ear")).text.split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines == [
        "Sound of Ear \u{FFFD}[31m", "ok       computer   pulseaudio 16.1: SBC",
        "ok       headphone  SBC (bitpool up to 53)",
        "ok       in-use     music (A2DP), SBC, 44.1 kHz, bitpool up to 53, up to 328 kbit/s",
        "ok       better     SBC is the best that both sides have", "", "Changes, newest last",
        "2026-11-28 21:03:11  codec: LDAC to SBC",
        "2026-11-28 21:05:00  sound: the sound server ended",
      ])
  }

  @Test func `without a known headphone the changes of all are shown, the last twenty`() {
    #expect(report(of: nil).text.contains("2026-11-28 21:04:00  link ended: away"))
    let many = Array(repeating: Self.log[0], count: 30)
    #expect(report(many, of: nil).text.ranges(of: "LDAC to SBC").count == 20)
  }

  @Test func `an empty log says when it is written`() {
    #expect(report([], of: nil).text.hasSuffix("while a screen or an agent runs: earshot agent"))
  }

  @Test func `a terminal gets marks, arrows and colours`() {
    let report = report(of: nil)
    #expect(report.text(.color).contains("\u{1B}[32m✓ ok     \u{1B}[0m  in-use"))
    #expect(!report.text(.monochrome).contains("\u{1B}"))
  }

  @Test func `the JSON has the codecs of both sides, the stream and the changes`() {
    let json = "\(report(of: HeadphoneID(rawValue: "ear")).json)"
    #expect(json.contains(#""computer":["sbc"],"offered":[{"codec":"sbc","rates":[16000,"#))
    #expect(
      json.contains(#""profile":"a2dp","codec":"sbc","stream":{"codec":"sbc","rates":[44100]"#))
    #expect(json.contains(#""bitpool":53,"bitRate":328}"#))
    #expect(
      json.contains(
        #"{"time":"2026-11-28 21:03:11.120","kind":"codec","what":"codec: LDAC to SBC"}"#))
  }
}
