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
      #expect((-1...7).contains(ink.foreground) && (-1...7).contains(ink.background), "\(role)")
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
      for background in isRich ? ground.usual : [ground.usual[0]] {
        let own: RGB = ground == .dark ? RGB(229, 229, 229) : RGB(0, 0, 0)
        for role in Role.allCases {
          let (ink, style) = role.appearance(theme, colors: colors, ground: ground)
          let front = ink.foreground < 0 ? own : RGB(xterm: ink.foreground)
          let back = ink.background < 0 ? background : RGB(xterm: ink.background)
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

private struct RGB {
  let parts: [Double]

  init(_ red: Int, _ green: Int, _ blue: Int) {
    parts = [red, green, blue].map { Double($0) / 255 }
  }

  /// One of xterm's 256 colours.
  init(xterm number: Int32) {
    let basic = [
      (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205),
      (0, 205, 205), (229, 229, 229), (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0),
      (92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255),
    ]
    let number = Int(number)
    func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + 40 * step }
    switch number {
    case ..<16: self.init(basic[number].0, basic[number].1, basic[number].2)
    case ..<232:
      self.init(
        level((number - 16) / 36), level((number - 16) / 6 % 6), level((number - 16) % 6))
    default: self.init(8 + 10 * (number - 232), 8 + 10 * (number - 232), 8 + 10 * (number - 232))
    }
  }

  func contrast(to other: RGB) -> Double {
    let (a, b) = (luminance, other.luminance)
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  private var luminance: Double {
    let linear = parts.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }
}

extension Ground {
  /// Backgrounds that terminals have, the plain one first.
  fileprivate var usual: [RGB] {
    switch self {
    case .dark: [RGB(0, 0, 0), RGB(0x1E, 0x1E, 0x1E)]
    case .light: [RGB(255, 255, 255), RGB(0xFA, 0xFA, 0xFA), RGB(0xFD, 0xF6, 0xE3)]
    }
  }
}
