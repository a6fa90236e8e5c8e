public import Headphones

/// What a person can ask for with a key.
public enum UserCommand: Hashable, Sendable {
  case nextANC, previousANC
  /// This mode, whichever is on.
  case setANC(ANCMode)
  case flipTransparency
  case nextEQ
  case equaliser
  /// In the editor of the equaliser.
  case flatten, savePreset, importPreset
  case toggleWearDetection
  case rename
  case find
  case firmware

  case connectOrDisconnect
  case dropControlLink
  case scan
  case pair
  case forget
  case factoryReset
  case refresh
  case previousHeadphone, nextHeadphone

  case raise, lower
  case routeSound, toggleMute, switchProfile

  case otherPanel
  case up, down, left, right
  case top, bottom, pageUp, pageDown
  case accept
  case back
  case filter
  /// In the log.
  case copy
  /// In the inspector.
  case write, subscribe
  case info, log, doctor, help
  case redraw, suspend, quit
}

extension UserCommand: CaseIterable {
  /// Every command, with a `setANC` for each mode.
  public static let allCases: [UserCommand] =
    [.nextANC, .previousANC] + ANCMode.allCases.map(UserCommand.setANC) + [
      .flipTransparency, .nextEQ, .equaliser, .flatten, .savePreset, .importPreset,
      .toggleWearDetection, .rename, .find, .firmware,
      .connectOrDisconnect, .dropControlLink, .scan, .pair, .forget, .factoryReset, .refresh,
      .previousHeadphone, .nextHeadphone, .raise,
      .lower, .routeSound, .toggleMute, .switchProfile, .otherPanel, .up, .down, .left, .right,
      .top, .bottom, .pageUp, .pageDown, .accept, .back, .filter, .copy, .write, .subscribe, .info,
      .log, .doctor, .help,
      .redraw,
      .suspend, .quit,
    ]
}
