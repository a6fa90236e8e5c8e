internal import Glibc

/// The codecs of the sound servers' plug-ins in the usual folders of distributions.
package enum SoundPlugins {
  private static let folders = ["/usr/lib/*", "/usr/lib64", "/usr/lib", "/usr/local/lib"]

  /// Returns the codecs of PipeWire's plug-ins, or nil if there are none; may block.
  package static func ofPipeWire() -> Set<String>? { ofPipeWire(in: folders) }

  static func ofPipeWire(in folders: [String]) -> Set<String>? {
    let plugins = names(folders.map { "\($0)/spa-0.2/bluez5/" }, "libspa-codec-bluez5-")
    guard !plugins.isEmpty else { return nil }
    return plugins.reduce(into: []) { codecs, plugin in
      switch plugin {
      case "sbc": codecs.formUnion(["sbc", "sbc_xq"])
      case "aptx": codecs.formUnion(["aptx", "aptx_hd", "aptx_ll"])
      case "lc3plus": codecs.insert("lc3plus_hr")
      case "opus": codecs.insert("opus_05")
      case "opus-g": codecs.insert("opus_g")
      case "lhdc": codecs.insert("lhdc_v5")
      default: codecs.insert(plugin)
      }
    }
  }

  /// Returns the codecs of the GStreamer plug-ins that PulseAudio uses; may block.
  package static func ofGStreamer() -> Set<String> { ofGStreamer(in: folders) }

  static func ofGStreamer(in folders: [String]) -> Set<String> {
    names(folders.map { "\($0)/gstreamer-1.0/" }, "libgst").reduce(into: []) {
      switch $1 {
      case "ldac": $0.insert("ldac")
      case "openaptx": $0.formUnion(["aptx", "aptx_hd"])
      default: break
      }
    }
  }

  /// Returns what stands between a prefix and ".so" in the names of files; folders may have "*".
  private static func names(_ folders: [String], _ prefix: String) -> Set<String> {
    var names: Set<String> = []
    for folder in folders {
      var found = glob_t()
      defer { globfree(&found) }
      guard glob("\(folder)\(prefix)*.so", 0, nil, &found) == 0 else { continue }
      for index in 0..<Int(found.gl_pathc) {
        guard let path = found.gl_pathv[index].map({ String(cString: $0) }),
          let name = path.split(separator: "/").last
        else { continue }
        names.insert(String(name.dropFirst(prefix.count).dropLast(3)))
      }
    }
    return names
  }
}
