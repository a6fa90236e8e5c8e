internal import CNcurses
internal import Glibc

extension CursesTerminal {
  struct Opened {
    var screen: OpaquePointer
    /// Output and input, on copies of the given descriptors.
    var streams: [UnsafeMutablePointer<FILE>]
    var keys: cn_window
    var bytes: CursesBytes
  }

  /// Opens the terminal and sets the modes of its input.
  ///
  /// - Parameter lines: Remembers the line's modes before they are changed.
  ///
  /// - Throws: `unknownType` for a terminal that the database does not have, `cannotPlace` for one
  ///   that cannot move its cursor, else `system`. The terminal's modes are then unchanged.
  static func open(
    _ options: TerminalOptions, _ lines: inout LineModes,
    bytes: (Int32) throws(TerminalError) -> CursesBytes = { fd throws(TerminalError) in
      try CursesBytes(insteadOf: fd)
    }
  ) throws(TerminalError) -> Opened {
    let type = options.type ?? getenv("TERM").map { String(cString: $0) } ?? ""
    // The kernel knows the size; LINES and COLUMNS may be outdated.
    use_env(false)
    use_tioctl(true)
    let streams = try openStreams(options)
    guard let screen = newScreen(type, streams) else {
      for stream in streams { fclose(stream) }
      throw .unknownType(type)
    }
    set_term(screen)
    TerminalType.opened = TerminalType(opened: type)
    do throws(TerminalError) {
      guard canPlace else { throw .cannotPlace(type) }
      guard let pad = newpad(1, 1) else { throw .system(errno: ENOMEM, during: "newpad") }
      let keys = cn_window(window: pad)
      raw()
      noecho()
      nonl()
      lines.remember()
      let bytes = try bytes(fileno(streams[0]))
      setReading(keys, showsCursor: options.usesWords)
      return Opened(screen: screen, streams: streams, keys: keys, bytes: bytes)
    } catch {
      endwin()
      delscreen(screen)
      TerminalType.opened = nil
      for stream in streams { fclose(stream) }
      throw error
    }
  }

  private static func setReading(_ keys: cn_window, showsCursor: Bool) {
    // Frames are not interrupted by typing, as writing them never blocks.
    typeahead(-1)
    curs_set(showsCursor ? 1 : 0)
    keypad(keys.window, true)
    defineKeys()
    nodelay(keys.window, true)
    // Esc is reported after 25 ms rather than after a second.
    set_escdelay(25)
  }

  /// Defines both forms of the arrow keys, as some terminals ignore the keypad mode.
  private static func defineKeys() {
    for introducer in ["\u{1B}[", "\u{1B}O"] {
      for (final, code) in [
        ("A", KEY_UP), ("B", KEY_DOWN), ("C", KEY_RIGHT), ("D", KEY_LEFT), ("H", KEY_HOME),
        ("F", KEY_END),
      ] {
        define_key(introducer + final, code)
      }
    }
    define_key("\u{1B}[1~", KEY_HOME)
    define_key("\u{1B}[4~", KEY_END)
  }

  /// Opens output and input as streams, on copies, because closing a stream closes its descriptor.
  private static func openStreams(
    _ options: TerminalOptions
  ) throws(TerminalError) -> [UnsafeMutablePointer<FILE>] {
    let input = fcntl(options.input, F_DUPFD_CLOEXEC, 3)
    let output = fcntl(options.output, F_DUPFD_CLOEXEC, 3)
    guard input >= 0, output >= 0, let reader = fdopen(input, "r"), let writer = fdopen(output, "w")
    else {
      let code = errno
      for descriptor in [input, output] where descriptor >= 0 { Glibc.close(descriptor) }
      throw .system(errno: code, during: "a copy of the terminal's descriptor")
    }
    return [writer, reader]
  }

  private static func newScreen(
    _ type: String, _ streams: [UnsafeMutablePointer<FILE>]
  ) -> OpaquePointer? {
    for candidate in TerminalType.candidates(for: type) {
      if let screen = newterm(candidate, streams[0], streams[1]) { return screen }
    }
    return nil
  }

  private static var canPlace: Bool {
    // `tigetstr` returns nil for a missing capability and -1 for one that is not a string.
    guard let sequence = tigetstr("cup") else { return false }
    return Int(bitPattern: sequence) != -1
  }

  /// Starts colours unless `NO_COLOR` is set, and returns their number, or 0 for none.
  static func startColors(wanted: Bool) -> Int {
    let isRefused = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
    guard wanted, !isRefused, has_colors(), start_color() == OK else { return 0 }
    // Keeps the terminal's background.
    use_default_colors()
    return Int(cn_colors())
  }

  static func symbols() -> Symbols {
    let codeset = nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } ?? ""
    guard codeset == "UTF-8" else { return .ascii }
    let name = termname().map { String(cString: $0) } ?? ""
    return name == "linux" ? .console : .unicode
  }
}
