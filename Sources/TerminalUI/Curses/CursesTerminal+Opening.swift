internal import CNcurses
internal import Glibc

extension CursesTerminal {
  struct Opened {
    var screen: OpaquePointer
    var streams: [UnsafeMutablePointer<FILE>]
    var keys: UnsafeMutablePointer<WINDOW>
    /// What curses writes from now on.
    var bytes: CursesBytes
  }

  /// Opens the terminal and sets how it reads.
  ///
  /// - Throws: ``TerminalError``, with the terminal's modes as they were.
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
      guard let keys = newpad(1, 1) else { throw .system(errno: ENOMEM, during: "newpad") }
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

  /// Input modes for keys and the mouse.
  private static func setReading(_ keys: UnsafeMutablePointer<WINDOW>) {
    // A frame is whole, whatever is typed meanwhile: it costs no waiting.
    typeahead(-1)
    curs_set(0)
    keypad(keys, true)
    defineKeys()
    nodelay(keys, true)
    // A lone Esc is reported after 25 ms rather than after a second.
    set_escdelay(25)
  }

  /// Not all terminals obey when curses switches the keypad's mode: both forms are understood.
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

  /// Curses wants streams, and closing them closes what they stand on: copies.
  private static func openStreams(
    _ options: TerminalOptions
  ) throws(TerminalError) -> [UnsafeMutablePointer<FILE>] {
    let input = fcntl(options.input, F_DUPFD_CLOEXEC, 3)
    let output = fcntl(options.output, F_DUPFD_CLOEXEC, 3)
    guard let reader = fdopen(input, "r"), let writer = fdopen(output, "w") else {
      throw .system(errno: errno, during: "fdopen")
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

  /// Whether the terminal that was just made can write anywhere on its screen; "dumb" cannot.
  private static var canPlace: Bool {
    // Nil, or -1 for one that is no string: neither is an address.
    guard let sequence = tigetstr("cup") else { return false }
    return Int(bitPattern: sequence) != -1
  }

  /// The number of colours to use; 0: none.
  static func startColors(wanted: Bool) -> Int {
    let isRefused = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
    guard wanted, !isRefused, has_colors(), start_color() == OK else { return 0 }
    // Keeps the terminal's own background.
    use_default_colors()
    return Int(cn_colors())
  }

  /// What locale and terminal can show.
  static func symbols() -> Symbols {
    let codeset = nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } ?? ""
    guard codeset == "UTF-8" else { return .ascii }
    let name = termname().map { String(cString: $0) } ?? ""
    return name == "linux" ? .console : .unicode
  }
}
