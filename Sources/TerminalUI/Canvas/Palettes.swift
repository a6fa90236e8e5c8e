extension Theme {
  /// The themes that many terminal programs have, one a line: a name, and a colour for each of
  /// ``ThemeColors/Key`` in that order.
  ///
  /// From the palettes that their authors publish.
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

  /// A line with a value too few is left out; a test checks that none is.
  static let palettes: [Theme] = table.split(separator: "\n").compactMap { line in
    let parts = line.split(separator: " ")
    let values = parts.dropFirst().compactMap { UInt32($0, radix: 16).map(RGB.init) }
    let keyed = Dictionary(zip(ThemeColors.Key.allCases, values)) { first, _ in first }
    return ThemeColors(keyed).map { Theme(name: String(parts[0]), $0) }
  }
}
