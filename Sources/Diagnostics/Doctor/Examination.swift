public import AudioRoute
internal import BluetoothLinux
internal import Companion
internal import EventLoop
internal import Glibc
public import Persistence

/// Examines this machine and changes nothing.
///
/// - Parameters:
///   - adapter: "hci0"; nil: the first that is on.
///   - folder: the folder of the program's state.
///   - sound: what the sound server says first; nil: nothing in time.
public func examine(
  adapter: String?, folder: StateFolder, terminal: TerminalFacts,
  sound: @Sendable () async -> AudioObservation?
) async -> [DiagnosticResult] {
  let sound = await sound() ?? .unavailable(.unresponsive)
  return await FileIO.shared.run {
    diagnose(
      SystemFacts(
        bluetooth: BluetoothSurvey(adapter: adapter), wantedAdapter: adapter,
        rights: ProcessRights(), kernelRelease: kernelRelease(), sound: sound,
        hasRuntimeFolder: variable("XDG_RUNTIME_DIR") != nil, terminal: terminal,
        locale: .ofThisProcess, stateFolder: FolderFacts(folder)))
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
  /// The locale that the environment selects; the process's own locale is not changed.
  public static var ofThisProcess: LocaleFacts {
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
        ? .exists(
          mode: status.st_mode & 0o7777, isWritable: access(path, W_OK | X_OK) == 0,
          isOwn: status.st_uid == geteuid())
        : .notAFolder
    } else {
      condition = Self.canBeMade(path) ? .canBeMade : .cannotBeMade
    }
  }

  /// Whether the nearest existing folder above can be written.
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
