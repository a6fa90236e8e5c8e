import ArgumentParser
import AudioRoute
import Companion
import CompanionRuntime
import Configuration
import EventLoop
import HeadphoneProtocols
import Persistence

extension CompletionKind {
  /// The names of the known headphones, or the identity if a name is missing or ambiguous.
  static let headphones = CompletionKind.custom { words, _, _ in
    let known = try? KnownHeadphones(in: StateFolder(), environment: environment(of: words)).all()
    let names = (known ?? []).map { headphone in
      let others = known?.filter { $0.name == headphone.name }.count ?? 0
      return headphone.name.isEmpty || others > 1
        ? headphone.id.rawValue : displayable(headphone.name)
    }
    return names
  }

  static let savedPresets = CompletionKind.custom { _, _, _ in savedNames }

  /// The common presets of headphones, the saved ones, and `next`.
  static let presets = CompletionKind.custom { _, _, _ in
    EQPreset.allCases.map(\.name) + ["next"] + savedNames
  }

  private static var savedNames: [String] {
    ((try? SavedEQs(in: StateFolder()).all()) ?? []).map(\.name)
  }

  static let scenes = CompletionKind.custom { _, _, _ in
    ConfigurationFile().read().configuration.preferences.scenes.map(\.name)
  }

  /// The outputs of the real or virtual sound server; none if it does not answer within a second.
  static let outputs = CompletionKind.custom { words, _, _ in
    guard environment(of: words) == nil else {
      return VirtualSoundServer().snapshot.devices.map { displayable($0.description) }
    }
    let observation = await observeAudio(
      { PulseSource(applicationName: "earshot") }, for: .seconds(1), by: ContinuousClock())
    guard case .running(let sound)? = observation else { return [] }
    return sound.devices.map { displayable($0.description) }
  }

  static let adapters = CompletionKind.list(
    ["hci0", "hci1"] + AdapterName.virtual)

  /// The families, and the names of the user's driver files.
  static let drivers = CompletionKind.custom { _, _, _ in
    HeadphoneFamily.allValueStrings + DriverFolder().names
  }

  /// The values of the setting that precedes, or files after `save` and `restore`.
  static let settingValues = CompletionKind.custom { words, index, _ in
    guard words.indices.contains(index - 1) else { return [] }
    if SettingFileAction(rawValue: words[index - 1]) != nil {
      return FolderListing.paths(from: words.indices.contains(index) ? words[index] : "")
    }
    let id = SettingID(rawValue: words[index - 1])
    return Capabilities.complete.declaration(of: id)?.words ?? []
  }

  static let configurationKeys = CompletionKind.list(Configuration().explainedKeys.map(\.name))

  static let keyValues = CompletionKind.custom { words, index, _ in
    guard words.indices.contains(index - 1) else { return [] }
    let keys = ConfigurationFile().read().configuration.explainedKeys
    return keys.first { $0.name == words[index - 1] }?.words ?? []
  }

  private static func environment(of words: [String]) -> String? {
    let adapter = words.firstIndex(of: "--adapter").flatMap { place in
      words.indices.contains(place + 1) ? words[place + 1] : nil
    }
    let configured = { ConfigurationFile().read().configuration.connection.adapter }
    return (adapter ?? configured()).flatMap(AdapterName.init)?.environment?.rawValue
  }
}

extension Capabilities {
  fileprivate static var complete: Capabilities {
    var able = Capabilities()
    able.ancModes = ANCMode.allCases
    able.eqPresets = EQPreset.allCases
    able.hasTouchActions = true
    able.settings = [.wearDetection]
    return able
  }
}
