package import Companion
internal import HeadphoneProtocols

extension CommandTarget {
  /// Reads what is not read when the link is made, and waits for what the headphone still reports.
  package func readSettings() async throws(CommandError) {
    if headphone?.capabilities?.hasTouchActions == true { try await perform(.readTouchActions) }
    await settle { $0.unreportedSettings.isEmpty }
  }

  package var savedSettings: SavedSettings? {
    headphone.map { SavedSettings(of: $0, at: effects.dependencies.now()) }
  }

  /// Sets what differs from saved settings; returns each setting's result, and the first failure.
  package func restore(
    _ saved: SavedSettings
  ) async throws(CommandError) -> (results: [SettingsRestoration.Result], failure: CommandError?) {
    while headphone?.isChanging == true { try await until { !$0.isChanging } }
    guard var latest = headphone else { throw .link(.user) }
    var restoration = SettingsRestoration(saved, on: latest)
    var failures: [SettingID?: CommandError] = [:]
    while let command = restoration.next(on: latest) {
      do throws(CommandError) {
        try await perform(command)
        if command.settings.contains(where: { $0.id == .equaliserPreset }) {
          // The bands of a preset may be reported after it.
          await settle { restoration.hasBands(on: $0) }
        }
      } catch {
        failures[restoration.current] = error
        if error.isEndOfLink { restoration.stop() } else { restoration.refuse(error.what) }
      }
      latest = headphone ?? latest
    }
    let results = restoration.results(on: latest)
    let failed = results.first { failures[$0.wish.setting] != nil && $0.isUnset }
    return (results, failed.flatMap { failures[$0.wish.setting]?.ofSetting($0.wish.setting) })
  }
}

extension SettingsRestoration.Result {
  fileprivate var isUnset: Bool {
    switch outcome {
    case .refused, .notSent: true
    case .same, .set, .lacking, .notAccepted, .notKept: false
    }
  }
}

extension CommandError {
  /// Returns the error for an invalid value of a file, naming the setting.
  fileprivate func ofSetting(_ id: SettingID) -> CommandError {
    guard case .command(.badArgument(let why)) = self else { return self }
    return .unavailable("\(id.rawValue): \(displayable(why))\n\(advice)")
  }

  fileprivate var isEndOfLink: Bool {
    switch self {
    case .command(.linkLost), .untried(.linkLost), .command(.notReady), .link: true
    default: false
    }
  }
}
