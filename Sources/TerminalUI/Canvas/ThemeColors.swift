internal import Glibc

/// Thirteen colours, from which a theme derives those of all roles.
///
/// A terminal with 24-bit colours shows the exact values, others the nearest of their 256. Where a
/// colour has too little contrast on the background (below 4.5 : 1; WCAG 2.2, 1.4.3), its lightness
/// is changed until it can be read. So every theme is legible, including the user's.
///
/// | key | used for |
/// | --- | --- |
/// | `background` | painted only where the terminal's own background is of the other kind |
/// | `track` | the empty part of bars, fields, unselected chips |
/// | `border` `label` `muted` `text` | frames, labels, less important text, values |
/// | `accent` | focus, selection, the program's name |
/// | `yellow` `orange` `green` `red` | keys and warnings, between, good, bad |
/// | `bar` `charging` | filled bars, a charging battery |
package struct ThemeColors: Hashable, Sendable {
  package enum Key: String, Hashable, Sendable, CaseIterable {
    case background, track, border, muted, label, text, accent, yellow, orange, green, red, bar
    case charging
  }

  private let values: [Key: RGB]

  /// Creates a palette, or returns nil if a key has no value.
  package init?(_ values: [Key: RGB]) {
    guard Key.allCases.allSatisfy({ values[$0] != nil }) else { return nil }
    self.values = values
  }

  package subscript(key: Key) -> RGB { values[key] ?? RGB(0) }

  package var background: TerminalBackground {
    let background = self[.background]
    return background.contrast(to: RGB(0xFF_FFFF)) >= background.contrast(to: RGB(0))
      ? .dark : .light
  }
}

package struct RGB: Hashable, Sendable {
  /// The components as 0xRRGGBB.
  package let value: UInt32

  /// Creates a colour from 0xRRGGBB; higher bits are dropped.
  package init(_ value: UInt32) { self.value = value & 0xFF_FFFF }

  /// Creates a colour from "#rrggbb" with digits in either case, or returns nil for any other text.
  package init?(text: String) {
    guard text.count == 7, text.first == "#", let value = UInt32(text.dropFirst(), radix: 16) else {
      return nil
    }
    self.init(value)
  }

  package var text: String {
    let digits = String(value, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// Creates a bright colour 8 to 15 of xterm, one of the cube, or a grey.
  init(xterm number: Int) {
    if (8...15).contains(number) {
      let bright: [UInt32] = [
        0x7F_7F7F, 0xFF_0000, 0x00_FF00, 0xFF_FF00, 0x5C_5CFF, 0xFF_00FF, 0x00_FFFF, 0xFF_FFFF,
      ]
      self.init(bright[number - 8])
      return
    }
    func level(_ step: Int) -> UInt32 { step == 0 ? 0 : UInt32(55 + 40 * step) }
    let grey = UInt32(clamping: 8 + 10 * (number - 232))
    let cube = number - 16
    self.init(
      number >= 232
        ? grey << 16 | grey << 8 | grey
        : level(cube / 36) << 16 | level(cube / 6 % 6) << 8 | level(cube % 6))
  }

  private var parts: SIMD3<Double> {
    SIMD3(Double(value >> 16), Double(value >> 8 & 0xFF), Double(value & 0xFF)) / 255
  }

  /// Returns the contrast ratio of WCAG 2.2, from 1 to 21.
  func contrast(to other: RGB) -> Double {
    Self.contrast(luminance, other.luminance)
  }

  private static func contrast(_ a: Double, _ b: Double) -> Double {
    (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  private var luminance: Double {
    func linear(_ part: Double) -> Double {
      part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(parts.x) + 0.7152 * linear(parts.y) + 0.0722 * linear(parts.z)
  }

  private func mixed(with other: RGB, _ part: Double) -> RGB {
    let mixed = ((parts + (other.parts - parts) * part) * 255).rounded(.toNearestOrAwayFromZero)
    return RGB(UInt32(mixed.x) << 16 | UInt32(mixed.y) << 8 | UInt32(mixed.z))
  }

  /// Returns this colour, lightened or darkened to the contrast `least`, at worst black or white.
  func legible(on background: RGB, _ least: Double = 4.6) -> RGB {
    let white = RGB(0xFF_FFFF)
    let end = background.contrast(to: white) > background.contrast(to: RGB(0)) ? white : RGB(0)
    let steps = (0...20).lazy.map { mixed(with: end, Double($0) / 20) }
    return steps.first { $0.contrast(to: background) >= least } ?? end
  }

  /// Returns this colour, moved towards `background` until its contrast is at most `most`.
  func receding(on background: RGB, _ most: Double = 1.9) -> RGB {
    let steps = (0...20).lazy.map { mixed(with: background, Double($0) / 20) }
    return steps.first { $0.contrast(to: background) <= most } ?? background
  }

  /// Returns the nearest xterm colour whose contrast on `background` is in `range`.
  ///
  /// The contrast also holds on the xterm colour nearest to `background`.
  func nearest(on background: RGB, _ range: ClosedRange<Double>) -> Int {
    let luminances = [background.luminance, RGB(xterm: background.nearest { _ in true }).luminance]
    return nearest { luminance in
      luminances.allSatisfy { range.contains(Self.contrast(luminance, $0)) }
    }
  }

  private func nearest(_ isFitting: (Double) -> Bool) -> Int {
    func distance(_ other: RGB) -> Double {
      let difference = parts - other.parts
      return (difference * difference).sum()
    }
    let fitting = Self.xtermColors.filter { isFitting($0.luminance) }
    return fitting.min { distance($0.color) < distance($1.color) }?.number ?? 16
  }

  /// The colours of xterm's palette, without the first 16, which users redefine.
  private static let xtermColors = (16...255).map { number in
    let color = RGB(xterm: number)
    return (number: number, color: color, luminance: color.luminance)
  }
}

extension Theme {
  /// Themes as published by their authors: a name, and the colours of ``ThemeColors/Key`` in order.
  private static let table = """
    catppuccin-mocha 1e1e2e 313244 7f849c a6adc8 bac2de cdd6f4 cba6f7 f9e2af fab387 a6e3a1 f38ba8 89b4fa 94e2d5
    catppuccin-latte eff1f5 ccd0da 7c7f93 6c6f85 5c5f77 4c4f69 8839ef df8e1d fe640b 40a02b d20f39 1e66f5 179299
    gruvbox-dark 282828 3c3836 928374 a89984 bdae93 ebdbb2 8ec07c fabd2f fe8019 b8bb26 fb4934 83a598 8ec07c
    gruvbox-light fbf1c7 ebdbb2 928374 7c6f64 665c54 3c3836 427b58 b57614 af3a03 79740e 9d0006 076678 427b58
    nord 2e3440 3b4252 616e88 a3adbf d8dee9 eceff4 88c0d0 ebcb8b d08770 a3be8c bf616a 81a1c1 8fbcbb
    tokyo-night 1a1b26 292e42 565f89 787c99 a9b1d6 c0caf5 7aa2f7 e0af68 ff9e64 9ece6a f7768e 7dcfff 73daca
    dracula 282a36 44475a 6272a4 a4a9c4 bfc3d9 f8f8f2 bd93f9 f1fa8c ffb86c 50fa7b ff5555 8be9fd 8be9fd
    rose-pine 191724 26233a 6e6a86 908caa b4b0cc e0def4 c4a7e7 f6c177 ebbcba 9ccfd8 eb6f92 31748f 9ccfd8
    everforest 2d353b 3d484d 859289 9da9a0 b4bcaa d3c6aa a7c080 dbbc7f e69875 a7c080 e67e80 7fbbb3 83c092
    solarized-dark 002b36 073642 586e75 839496 93a1a1 93a1a1 268bd2 b58900 cb4b16 859900 dc322f 2aa198 2aa198
    solarized-light fdf6e3 eee8d5 93a1a1 657b83 586e75 586e75 268bd2 b58900 cb4b16 859900 dc322f 2aa198 2aa198
    """

  /// The palettes of the table; a line with a missing value is skipped, which a test excludes.
  static let palettes: [Theme] = table.split(separator: "\n").compactMap { line in
    let parts = line.split(separator: " ")
    let values = parts.dropFirst().compactMap { UInt32($0, radix: 16).map(RGB.init) }
    let keyed = Dictionary(zip(ThemeColors.Key.allCases, values)) { first, _ in first }
    return ThemeColors(keyed).map { Theme(name: String(parts[0]), $0) }
  }
}
