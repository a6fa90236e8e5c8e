internal import CNcurses
internal import Glibc

extension CursesTerminal {
  /// The parts of a terminal that is open.
  struct Opened {
    /// Curses' own handle, freed by `delscreen`.
    var screen: OpaquePointer
    /// Output and input, on copies of the given descriptors.
    var streams: [UnsafeMutablePointer<FILE>]
    /// The window from which keys are read; nothing is drawn there.
    var keys: cn_window
    /// The bytes that curses writes from now on.
    var bytes: CursesBytes
  }

  /// Opens the terminal and sets how it reads.
  ///
  /// - Parameters:
  ///   - options: descriptors and terminal type.
  ///   - lines: remembers the line's modes before they are changed.
  ///   - bytes: takes curses' output; replaced in tests.
  /// - Throws: `unknownType` for a terminal that the database does not have, `cannotPlace` for one
  ///   that cannot move its cursor, `system` for the rest; the terminal's modes are then as they
  ///   were.
  static func open(
    _ options: TerminalOptions, _ lines: inout LineModes,
    bytes: (Int32) throws(TerminalError) -> CursesBytes = { fd throws(TerminalError) in
      try CursesBytes(insteadOf: fd)
    }
  ) throws(TerminalError) -> Opened {
    let type = options.type ?? getenv("TERM").map { String(cString: $0) } ?? ""
    // The kernel knows the size; LINES and COLUMNS may be a shell's memory of another one.
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
      setReading(keys)
      return Opened(screen: screen, streams: streams, keys: keys, bytes: bytes)
    } catch {
      endwin()
      delscreen(screen)
      TerminalType.opened = nil
      for stream in streams { fclose(stream) }
      throw error
    }
  }

  /// Sets the modes of the input: no echo of the cursor, named keys, reads that do not block.
  private static func setReading(_ keys: cn_window) {
    // A frame is whole, whatever is typed meanwhile: it costs no waiting.
    typeahead(-1)
    curs_set(0)
    keypad(keys.window, true)
    defineKeys()
    nodelay(keys.window, true)
    // A lone Esc is reported after 25 ms rather than after a second.
    set_escdelay(25)
  }

  /// Teaches curses both forms of the arrow keys, because not all terminals obey when it switches
  /// the keypad's mode.
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

  /// Output and input as streams, which curses needs.
  ///
  /// Closing a stream closes what it stands on, so they stand on copies.
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

  /// A screen of the first terminal type that the database knows; nil: it knows none.
  private static func newScreen(
    _ type: String, _ streams: [UnsafeMutablePointer<FILE>]
  ) -> OpaquePointer? {
    for candidate in TerminalType.candidates(for: type) {
      if let screen = newterm(candidate, streams[0], streams[1]) { return screen }
    }
    return nil
  }

  /// Whether the terminal that was just made can write anywhere on its screen; "dumb" cannot.
  private static var canPlace: Bool {
    // Nil, or -1 for one that is no string: neither is an address.
    guard let sequence = tigetstr("cup") else { return false }
    return Int(bitPattern: sequence) != -1
  }

  /// Starts colours.
  ///
  /// - Parameter wanted: false for no colours; `NO_COLOR` with any text says the same.
  /// - Returns: the number of colours to use; 0: none.
  static func startColors(wanted: Bool) -> Int {
    let isRefused = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
    guard wanted, !isRefused, has_colors(), start_color() == OK else { return 0 }
    // Keeps the terminal's own background.
    use_default_colors()
    return Int(cn_colors())
  }

  /// The symbols that locale and terminal can show: ASCII outside of UTF-8, few on Linux's console.
  static func symbols() -> Symbols {
    let codeset = nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } ?? ""
    guard codeset == "UTF-8" else { return .ascii }
    let name = termname().map { String(cString: $0) } ?? ""
    return name == "linux" ? .console : .unicode
  }
}
