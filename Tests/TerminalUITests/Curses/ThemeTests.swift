import Glibc
import Testing

@testable import TerminalUI

@Suite struct ThemeTests {
  @Test func `nothing is dim in high contrast`() {
    for colors in [8, 16, 256] {
      for role in Role.allCases {
        #expect(!role.appearance(.highContrast, colors: colors).style.contains(.dim), "\(role)")
      }
    }
  }

  @Test func `monochrome has no colours, on any terminal`() {
    for role in Role.allCases {
      #expect(role.appearance(.monochrome, colors: 256).ink == ColorPair(), "\(role)")
      #expect(
        role.appearance(.monochrome, colors: 256).style
          == role.appearance(.standard, colors: 0).style)
    }
  }

  @Test func `the terminal's own colours are the first eight`() {
    for role in Role.allCases {
      let ink = role.appearance(.terminal, colors: 256).ink
      for color in [ink.foreground, ink.background] {
        guard case .number(let number) = color else {
          #expect(color == .own, "\(role)")
          continue
        }
        #expect((0...7).contains(number), "\(role)")
      }
    }
  }

  @Test(arguments: Theme.allCases)
  func `what is chosen differs from what is not`(theme: Theme) {
    for colors in [0, 8, 256] {
      #expect(
        role(.segmentSelected, theme, colors) != role(.segment, theme, colors)
          && role(.buttonSelected, theme, colors) != role(.button, theme, colors))
    }
  }

  private func role(_ role: Role, _ theme: Theme, _ colors: Int) -> String {
    "\(role.appearance(theme, colors: colors))"
  }

  /// WCAG 2.2, 1.4.3: text at 4.5 : 1 or better, what only fills an area at 2 : 1 or less.
  @Test(arguments: Theme.allCases, Ground.allCases)
  func `every role can be read on every ground`(theme: Theme, ground: Ground) {
    for colors in [8, 16, 256] {
      let isRich = theme == .standard && colors == 256
      let backgrounds =
        theme.colors.map { [$0[.background]] } ?? (isRich ? ground.usual : [ground.usual[0]])
      for background in colors == 256 ? backgrounds : [ground.usual[0]] {
        let own = ground == .dark ? RGB(0xE5E5E5) : RGB(0)
        for role in Role.allCases {
          let (ink, style) = role.appearance(theme, colors: colors, ground: ground)
          for isTrue in [true, false] {
            let front = seen(ink.foreground, isTrue: isTrue) ?? own
            let back = seen(ink.background, isTrue: isTrue) ?? background
            let contrast = front.contrast(to: back)
            if role.isFill {
              #expect(
                contrast <= 2 || style.contains(.dim) || ink == ColorPair(), "\(role) \(contrast)")
            } else {
              #expect(contrast >= 4.5, "\(role) with \(colors) colours: \(contrast)")
              #expect(!style.contains(.dim) || theme == .monochrome, "\(role)")
            }
          }
        }
      }
    }
  }

  @Test func `there are as many as the table has, each name once`() {
    let names = Theme.allCases.map(\.rawValue)
    #expect(names.count == 15 && Set(names).count == names.count)
    var theme = Theme.standard
    for _ in names { theme = theme.next }
    #expect(theme == .standard)
    let light = Theme.allCases.filter { $0.colors?.ground == .light }.map(\.rawValue)
    #expect(light == ["catppuccin-latte", "gruvbox-light", "solarized-light"])
  }

  @Test func `a theme brings its ground along where the terminal has another`() {
    let light = Theme(rawValue: "catppuccin-latte") ?? .standard
    #expect(Role.value.appearance(light, colors: 256, ground: .light).ink.background == .own)
    #expect(Role.value.appearance(light, colors: 256, ground: .dark).ink.background != .own)
    #expect(Theme(rawValue: "nord")?.colors?.ground == .dark && Theme(rawValue: "no") == nil)
  }

  @Test func `what curses writes by number is told in 24 bits`() {
    let meanings: [Int32: RGB] = [16: RGB(0x1E1E2E), 200: RGB(0xFF8000)]
    func translated(_ text: String) -> String {
      String(decoding: TrueColor.translated(Array(text.utf8), meanings), as: UTF8.self)
    }
    #expect(translated("a\u{1B}[38;5;16mb") == "a\u{1B}[38;2;30;30;46mb")
    #expect(translated("\u{1B}[48:5:200m") == "\u{1B}[48;2;255;128;0m")
    for text in ["\u{1B}[38;5;17m", "\u{1B}[38;5;1", "\u{1B}[1m", "\u{1B}", "38;5;16m"] {
      #expect(translated(text) == text)
    }
  }

  @Test(arguments: [
    ("0;15", Ground.light), ("15;0", .dark), ("15;default;0", .dark), ("0;7", .light),
    ("12;8", .dark),
  ])
  func `the variable COLORFGBG tells the ground`(variable: String, ground: Ground) {
    #expect(Ground(variable: variable) == ground)
  }

  @Test(arguments: ["", "default", "0;default", "0;99", ";"])
  func `other values of COLORFGBG report nothing`(variable: String) {
    #expect(Ground(variable: variable) == nil)
  }
}

/// What is seen of a colour; nil: it is the terminal's own.
private func seen(_ color: Color, isTrue: Bool) -> RGB? {
  let basic: [UInt32] = [
    0, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000,
    0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ]
  switch color {
  case .own: return nil
  case .number(let number):
    return number < 16 ? RGB(basic[Int(number)]) : RGB(xterm: Int(number))
  case .rgb(let rgb, let background, let contrast):
    return isTrue ? rgb : RGB(xterm: rgb.nearest(on: background, contrast))
  }
}

extension Ground {
  /// Backgrounds that terminals have, the plain one first.
  fileprivate var usual: [RGB] {
    switch self {
    case .dark: [RGB(0), RGB(0x1E1E1E)]
    case .light: [RGB(0xFFFFFF), RGB(0xFAFAFA), RGB(0xFDF6E3)]
    }
  }
}
