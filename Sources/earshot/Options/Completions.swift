import ArgumentParser
import AudioRoute
import Companion
import CompanionRuntime
import Configuration
import EventLoop
import HeadphoneProtocols
import Persistence

/// Completions that depend on this user's headphones, files and sound server.
extension CompletionKind {
  /// The names of the known headphones; the identity where several have the same name, or it has
  /// none.
  static let headphones = CompletionKind.custom { words, _, _ in
    let known = try? KnownHeadphones(in: StateFolder(), environment: environment(of: words)).all()
    let names = (known ?? []).map { headphone in
      let others = known?.filter { $0.name == headphone.name }.count ?? 0
      return headphone.name.isEmpty || others > 1
        ? headphone.id.rawValue : displayable(headphone.name)
    }
    return names
  }

  /// The names of the saved equaliser presets.
  static let savedPresets = CompletionKind.custom { _, _, _ in savedNames }

  /// The usual presets of headphones, the saved ones, and `next`.
  static let presets = CompletionKind.custom { _, _, _ in
    EQPreset.allCases.map(\.name) + ["next"] + savedNames
  }

  private static var savedNames: [String] {
    ((try? SavedEQs(in: StateFolder()).all()) ?? []).map(\.name)
  }

  /// The names of the scenes in the configuration.
  static let scenes = CompletionKind.custom { _, _, _ in
    ConfigurationFile().read().configuration.scenes.map(\.name)
  }

  /// The outputs of the sound server; none if it does not answer within a second.
  ///
  /// With `--adapter virtual` on the command line, those of the virtual sound server.
  static let outputs = CompletionKind.custom { words, _, _ in
    guard environment(of: words) == nil else {
      return VirtualSoundServer().snapshot.devices.map { displayable($0.description) }
    }
    let observation = await observeAudio(
      { PulseSource(applicationName: "earshot") }, for: .seconds(1), by: ContinuousClock())
    guard case .running(let sound)? = observation else { return [] }
    return sound.devices.map { displayable($0.description) }
  }

  /// The first two adapters, and the simulated ones.
  static let adapters = CompletionKind.list(
    ["hci0", "hci1"] + SimulatedEnvironment.allCases.map(\.rawValue) + ["virtual-quiet"])

  /// The values of the setting that the preceding word names, where it is a standard one.
  static let settingValues = CompletionKind.custom { words, index, _ in
    guard words.indices.contains(index - 1) else { return [] }
    let id = SettingID(rawValue: words[index - 1])
    return Capabilities.complete.declaration(of: id)?.words ?? []
  }

  /// The keys of the configuration.
  static let configurationKeys = CompletionKind.list(Configuration().explainedKeys.map(\.name))

  /// The words that the key of the configuration before takes.
  static let keyValues = CompletionKind.custom { words, index, _ in
    guard words.indices.contains(index - 1) else { return [] }
    let keys = ConfigurationFile().read().configuration.explainedKeys
    return keys.first { $0.name == words[index - 1] }?.words ?? []
  }

  /// The environment of the virtual headphones that a command line names; nil: the real ones.
  private static func environment(of words: [String]) -> String? {
    let adapter = words.firstIndex(of: "--adapter").flatMap { place in
      words.indices.contains(place + 1) ? words[place + 1] : nil
    }
    switch adapter {
    case "virtual-quiet"?: return SimulatedEnvironment.own.rawValue
    case let name?: return SimulatedEnvironment(rawValue: name)?.rawValue
    case nil: return nil
    }
  }
}

extension Capabilities {
  /// Every standard setting with all its values.
  fileprivate static var complete: Capabilities {
    var able = Capabilities()
    able.ancModes = ANCMode.allCases
    able.eqPresets = EQPreset.allCases
    able.hasTouchActions = true
    able.settings = [.wearDetection]
    return able
  }
}
