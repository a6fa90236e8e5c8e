package import AudioRoute
internal import BluetoothKernel
package import Companion
internal import EventLoop
internal import Glibc
package import Persistence

/// Examines this machine without changing anything, and returns one result for each check.
///
/// - Parameters:
///   - adapter: The adapter's name, for example "hci0", or nil for the first that is switched on.
///   - heldLinks: Returns the headphones whose control link bluetoothd has, or nil without a
///     response.
///   - leAudio: Returns bluetoothd's view of LE Audio; nil to omit LE Audio.
///   - sound: Returns the first observation of the sound server, or nil without one in time.
package func examine(
  adapter: String?, folder: StateFolder, terminal: TerminalFacts,
  heldLinks: @Sendable () async -> [String]?,
  linkedSound: @Sendable () async -> [LinkedSound] = { [] },
  buttons: @Sendable () async -> ButtonFacts,
  soundSettings: @Sendable () async -> SoundSettingFacts,
  leAudio: (@Sendable () async -> LEAudioServiceFacts?)? = nil,
  sound: @Sendable () async -> AudioObservation?
) async -> [DiagnosticResult] {
  let heldLinks = await heldLinks()
  let linkedSound = await linkedSound()
  let buttons = await buttons()
  let soundSettings = await soundSettings()
  let sound = await sound() ?? .unavailable(.unresponsive)
  let service = await leAudio?()
  return await FileIO.shared.run {
    let bluetooth = BluetoothSurvey(adapter: adapter)
    return diagnose(
      SystemFacts(
        bluetooth: bluetooth, heldLinks: heldLinks, wantedAdapter: adapter,
        rights: ProcessRights(), kernelRelease: kernelRelease(), sound: sound,
        linkedSound: linkedSound, buttons: buttons, soundSettings: soundSettings,
        hasRuntimeFolder: variable("XDG_RUNTIME_DIR") != nil, terminal: terminal,
        locale: .ofThisProcess, stateFolder: FolderFacts(folder),
        leAudio: leAudio == nil ? nil : LEAudioFacts(service, bluetooth)))
  }
}

private func kernelRelease() -> String {
  var name = utsname()
  guard uname(&name) == 0 else { return "unknown" }
  return withUnsafeBytes(of: name.release) { bytes in
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}

extension LocaleFacts {
  /// The locale that the environment selects; reading it does not change the process's locale.
  package static var ofThisProcess: LocaleFacts {
    var facts = LocaleFacts()
    facts.name = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first
    guard let locale = newlocale(LC_CTYPE_MASK, "", nil) else { return facts }
    defer { freelocale(locale) }
    facts.codeset = nl_langinfo_l(nl_item(CODESET), locale).map { String(cString: $0) }
    return facts
  }
}

extension FolderFacts {
  init(_ folder: StateFolder) {
    path = folder.path
    user = geteuid()
    var status = stat()
    if stat(path, &status) == 0 {
      condition =
        status.st_mode & S_IFMT == S_IFDIR
        ? Self.obstacle(of: path)
          ?? .exists(
            mode: status.st_mode & 0o7777, isWritable: access(path, W_OK | X_OK) == 0,
            isOwn: status.st_uid == geteuid())
        : .notAFolder
    } else {
      condition = Self.canBeMade(path) ? .canBeMade : .cannotBeMade
    }
  }

  /// Returns the reason why the disk of a folder accepts no file, regardless of its owner.
  private static func obstacle(of path: String) -> Condition? {
    var disk = statvfs()
    guard statvfs(path, &disk) == 0 else { return nil }
    if disk.f_flag & UInt(ST_RDONLY) != 0 { return .readOnly }
    // Some file systems report no number of blocks or of files.
    let hasRoom = disk.f_blocks == 0 || disk.f_bavail * disk.f_frsize >= 1 << 16
    return hasRoom && (disk.f_files == 0 || disk.f_favail > 0) ? nil : .full
  }

  private static func canBeMade(_ path: String) -> Bool {
    var above = path[...]
    while let slash = above.lastIndex(of: "/") {
      above = above[..<slash]
      let folder = above.isEmpty ? "/" : String(above)
      if access(folder, F_OK) == 0 { return access(folder, W_OK | X_OK) == 0 }
    }
    return false
  }
}
