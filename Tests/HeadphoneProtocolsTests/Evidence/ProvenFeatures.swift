import Testing

@testable import HeadphoneProtocols

extension HeadphoneCommand {
  /// The settings that the command changes, or the other feature that it uses.
  var features: [String] {
    switch self {
    case .find: ["find"]
    case .pairedDevice: [SettingID.pairedDevices.rawValue]
    default: settings.map(\.id.rawValue)
    }
  }
}

extension HeadphoneEvent {
  /// The settings or other features whose value the event reports.
  var features: [String] {
    switch self {
    case .batteryChanged: ["battery"]
    case .wearingChanged: ["wearing"]
    case .findChanged: ["find"]
    case .caseLidChanged: ["lid"]
    case .eqChanged(let preset, let gains) where gains != nil && preset == .custom:
      [SettingID.equaliserBands.rawValue]
    default: settings.map(\.id.rawValue)
    }
  }

  /// Returns whether the event reports the result of a command.
  func confirms(_ command: HeadphoneCommand) -> Bool {
    switch (self, command) {
    case (.findChanged(let ringing), .find(let sides, let isOn)):
      isOn ? ringing.isSuperset(of: sides) : ringing.isDisjoint(with: sides)
    case (
      .settingChanged(.pairedDevices, .pairedDevices(let devices)),
      .pairedDevice(let action, let address)
    ): devices.show(action, address)
    default:
      !command.settings.isEmpty
        && command.settings.allSatisfy { wanted in
          settings.contains { $0.id == wanted.id && $0.value == wanted.value }
        }
    }
  }
}

extension Evidence {
  /// Returns the evidence in a family's conversations and byte table, by feature.
  static func computed(of family: HeadphoneFamily) throws -> [String: Evidence] {
    var proven: [String: [Proof: Set<String>]] = [:]
    let conversations = try Conversation.everything(of: family)
    for conversation in conversations {
      let replay = try ConversationReplay(
        conversation, after: try conversation.earlier(among: conversations))
      let model = conversation.model
      for (feature, proof) in replay.proofs {
        proven[feature, default: [:]][proof, default: []].formUnion(model.isEmpty ? [] : [model])
      }
    }
    return proven.mapValues { proofs in Evidence(proofs.mapValues { $0.sorted() }) }
  }
}
