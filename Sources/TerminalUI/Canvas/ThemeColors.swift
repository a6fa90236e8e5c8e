internal import Glibc

/// The colours of a theme: thirteen values from which those of all roles are made.
///
/// A terminal shows them as they are where it has 24-bit colours, else the nearest of its 256.
/// Where one could not be read on the background (less than 4.5 : 1; WCAG 2.2, 1.4.3), its
/// lightness is changed until it can, so that every theme is legible, the user's own included.
///
/// | key | used for |
/// | --- | --- |
/// | `background` | painted only where the terminal's own ground is of the other kind |
/// | `track` | the empty part of bars, fields, unselected chips |
/// | `border` `label` `muted` `text` | frames, labels, less important text, values |
/// | `accent` | focus, selection, the program's name |
/// | `yellow` `orange` `green` `red` | keys and warnings, between, good, bad |
/// | `bar` `charging` | filled bars, a charging battery |
public struct ThemeColors: Hashable, Sendable {
  /// The colours of a theme, as they are written in its file.
  public enum Key: String, Hashable, Sendable, CaseIterable {
    case background, track, border, muted, label, text, accent, yellow, orange, green, red, bar
    case charging
  }

  private let values: [Key: RGB]

  ///
  /// The configuration checks each key with its line before; this only guards against a missing
  /// one.
  ///
  /// - Parameter values: one for each key.
  ///
  /// Nil: one is missing.
  public init?(_ values: [Key: RGB]) {
    guard Key.allCases.allSatisfy({ values[$0] != nil }) else { return nil }
    self.values = values
  }

  package subscript(key: Key) -> RGB { values[key] ?? RGB(0) }

  /// The ground for which the colours are chosen.
  public var ground: Ground {
    let background = self[.background]
    return background.contrast(to: RGB(0xFF_FFFF)) >= background.contrast(to: RGB(0))
      ? .dark : .light
  }
}

/// A colour in sRGB.
public struct RGB: Hashable, Sendable {
  /// 0xRRGGBB.
  public let value: UInt32

  /// - Parameter value: 0xRRGGBB; higher bits are dropped.
  public init(_ value: UInt32) { self.value = value & 0xFF_FFFF }

  /// "#rrggbb"; nil: it is none.
  ///
  /// - Parameter text: "#" and six hexadecimal digits, in either case.
  public init?(text: String) {
    guard text.count == 7, text.first == "#", let value = UInt32(text.dropFirst(), radix: 16) else {
      return nil
    }
    self.init(value)
  }

  /// "#rrggbb".
  package var text: String {
    let digits = String(value, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// One of xterm's 216 colours and 24 greys, numbers 16 to 255.
  init(xterm number: Int) {
    func level(_ step: Int) -> UInt32 { step == 0 ? 0 : UInt32(55 + 40 * step) }
    let grey = UInt32(clamping: 8 + 10 * (number - 232))
    let cube = number - 16
    self.init(
      number >= 232
        ? grey << 16 | grey << 8 | grey
        : level(cube / 36) << 16 | level(cube / 6 % 6) << 8 | level(cube % 6))
  }

  /// Red, green and blue from 0 to 1.
  var parts: [Double] { [16, 8, 0].map { Double(value >> $0 & 0xFF) / 255 } }

  /// WCAG 2.2: 1 to 21.
  ///
  /// The contrast ratio of WCAG 2.2, symmetric; 4.5 is the least for text.
  func contrast(to other: RGB) -> Double {
    Self.contrast(luminance, other.luminance)
  }

  /// The ratio of two relative luminances.
  private static func contrast(_ a: Double, _ b: Double) -> Double {
    (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  /// Relative luminance, from 0 to 1.
  private var luminance: Double {
    let linear = parts.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }

  /// On the way to another colour, from 0 to 1.
  private func mixed(with other: RGB, _ part: Double) -> RGB {
    let mixed = zip(parts, other.parts).map { UInt32((($0 + ($1 - $0) * part) * 255).rounded()) }
    return RGB(mixed[0] << 16 | mixed[1] << 8 | mixed[2])
  }

  /// The same colour, or one so much lighter or darker that it can be read on a background.
  ///
  /// - Parameters:
  ///   - background: What it is drawn on.
  ///   - least: The contrast that it must have; black or white is the last resort.
  func legible(on background: RGB, _ least: Double = 4.6) -> RGB {
    let white = RGB(0xFF_FFFF)
    let end = background.contrast(to: white) > background.contrast(to: RGB(0)) ? white : RGB(0)
    let steps = (0...20).lazy.map { mixed(with: end, Double($0) / 20) }
    return steps.first { $0.contrast(to: background) >= least } ?? end
  }

  /// The same colour, or one so much nearer to a background that it only fills an area there.
  ///
  /// - Parameters:
  ///   - background: What it is drawn on.
  ///   - most: The contrast that it may have.
  func receding(on background: RGB, _ most: Double = 1.9) -> RGB {
    let steps = (0...20).lazy.map { mixed(with: background, Double($0) / 20) }
    return steps.first { $0.contrast(to: background) <= most } ?? background
  }

  /// The number of the nearest of xterm's colours that keeps to a range of contrast on a background, and
  /// on what a terminal with 256 colours shows of it.
  func nearest(on background: RGB, _ range: ClosedRange<Double>) -> Int {
    let grounds = [background.luminance, RGB(xterm: background.nearest { _ in true }).luminance]
    return nearest { luminance in
      grounds.allSatisfy { range.contains(Self.contrast(luminance, $0)) }
    }
  }

  /// The nearest colour, by distance in sRGB, among those that fit; black where none does.
  private func nearest(_ isFitting: (Double) -> Bool) -> Int {
    func distance(_ other: RGB) -> Double {
      zip(parts, other.parts).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
    let fitting = Self.xtermColors.filter { isFitting($0.luminance) }
    return fitting.min { distance($0.color) < distance($1.color) }?.number ?? 16
  }

  /// Numbers 16 to 255; the first 16 are whatever the terminal's owner chose.
  private static let xtermColors = (16...255).map { number in
    let color = RGB(xterm: number)
    return (number: number, color: color, luminance: color.luminance)
  }
}
