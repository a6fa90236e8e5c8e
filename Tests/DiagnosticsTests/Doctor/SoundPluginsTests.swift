import Glibc
import TestSupport
import Testing

@testable import Diagnostics

@Suite struct SoundPluginsTests {
  private func folder(_ files: [String], in part: String) -> TemporaryFolder {
    let folder = TemporaryFolder()
    var path = ""
    for name in "\(folder.path)/\(part)".split(separator: "/") {
      path += "/\(name)"
      mkdir(path, 0o700)
    }
    for file in files { close(open("\(path)/\(file)", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)) }
    return folder
  }

  @Test func `the names of PipeWire's plug-ins tell its codecs`() {
    let folder = folder(
      [
        "libspa-bluez5.so", "libspa-codec-bluez5-sbc.so", "libspa-codec-bluez5-aptx.so",
        "libspa-codec-bluez5-ldac.so", "libspa-codec-bluez5-opus-g.so", "README",
      ], in: "arch/spa-0.2/bluez5")
    let expected: Set = ["sbc", "sbc_xq", "aptx", "aptx_hd", "aptx_ll", "ldac", "opus_g"]
    #expect(SoundPlugins.ofPipeWire(in: ["/nowhere", "\(folder.path)/*"]) == expected)
    #expect(SoundPlugins.ofPipeWire(in: ["/nowhere"]) == nil)
  }

  @Test func `of GStreamer's plug-ins, those that PulseAudio uses count`() {
    let folder = folder(
      ["libgstldac.so", "libgstopenaptx.so", "libgstmpg123.so"], in: "gstreamer-1.0")
    #expect(SoundPlugins.ofGStreamer(in: [folder.path]) == ["ldac", "aptx", "aptx_hd"])
    #expect(SoundPlugins.ofGStreamer(in: ["/nowhere"]) == [])
  }
}
