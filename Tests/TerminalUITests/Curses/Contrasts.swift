@testable import TerminalUI

extension Role {
  /// Returns the contrast of the role's colours on each background that they may have.
  ///
  /// In 24 bits and as the nearest of 256 colours. Without a theme's own background, usual
  /// backgrounds of terminals are taken.
  func contrasts(_ theme: Theme, colors: Int, background: TerminalBackground) -> [Double] {
    let usual = theme == .standard && colors == 256 ? background.usual : [background.usual[0]]
    let backgrounds = colors == 256 ? theme.colors.map { [$0[.background]] } ?? usual : usual
    let own = background == .dark ? RGB(0xE5E5E5) : RGB(0)
    let ink = appearance(theme, colors: colors, background: background).ink
    return backgrounds.flatMap { background in
      [true, false].map { isTrue in
        let front = seen(ink.foreground, isTrue: isTrue) ?? own
        return front.contrast(to: seen(ink.background, isTrue: isTrue) ?? background)
      }
    }
  }
}

/// Returns the visible colour, or nil for the terminal's own.
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

extension TerminalBackground {
  /// The usual backgrounds of terminals, the plain one first.
  var usual: [RGB] {
    switch self {
    case .dark: [RGB(0), RGB(0x1E1E1E)]
    case .light: [RGB(0xFFFFFF), RGB(0xFAFAFA), RGB(0xFDF6E3)]
    }
  }
}
