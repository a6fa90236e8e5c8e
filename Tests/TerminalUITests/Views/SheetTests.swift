import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

extension Golden {
  /// Pages of a few lines over the main page; those with their own tests have their files there.
  static let sheets: [Golden] = [
    .screen("sheet-finder-120x40", .large, showsRoles: true) { Example.sheet(.finder) },
    .screen("sheet-finder") { Example.sheet(.finder) },
    .screen("sheet-sound-settings-120x40", .large) { Example.sheet(.soundSettings) },
    .screen("sheet-sound-settings") { Example.sheet(.soundSettings) },
    .screen("sheet-notice") {
      Example.sheet(.touch).changed {
        $0.notice = Notice("not connected", remedy: .connectOrDisconnect)
      }
    },
  ]
}

extension Example {
  fileprivate static func sheet(_ kind: PageKind, line: Int = 0) -> State {
    let isPlain = [.finder, .firmware].contains(kind)
    return state().changed { $0.page = isPlain ? .plain(kind) : .list(kind, line: line) }
  }
}

@Suite struct `A sheet` {
  private static let kinds = PageView.all.filter { $0.sheetColumns != nil }.map(\.kind)
  private static let sizes = [
    Size.ordinary, .large, Size(columns: 200, rows: 60), Size(columns: 76, rows: 20),
  ]
  /// All lines of the information fit the larger sizes only.
  private static let cases = kinds.flatMap { kind in
    sizes.filter { kind != .info || $0.rows >= 40 }.map { (kind, $0) }
  }

  /// Returns the area in the frame of the page, or nil without one.
  private func frame(_ screen: Screen) -> Area? {
    let cells = (0..<screen.size.rows).flatMap { row in
      (0..<screen.size.columns).map { CellPosition(column: $0, row: row) }
    }.filter { screen[$0.column, $0.row].role == .borderFocused }
    guard let left = cells.map(\.column).min(), let right = cells.map(\.column).max(),
      let top = cells.map(\.row).min(), let bottom = cells.map(\.row).max()
    else { return nil }
    return Area(column: left, row: top, columns: right - left + 1, rows: bottom - top + 1)
  }

  @Test func `is each page of a few lines`() {
    #expect(
      Set(Self.kinds) == [
        .finder, .touch, .soundSettings, .scenes, .broadcasts, .correction, .pairedDevices, .info,
        .firmware,
      ])
  }

  @Test(arguments: cases)
  func `lies over the dimmed main page, which stays as it is`(kind: PageKind, size: Size) throws {
    let screen = view(Example.sheet(kind), size: size)
    let main = view(Example.state(), size: size)
    let area = try #require(frame(screen))
    #expect(area.columns < size.columns && area.rows < size.rows - 3)
    for row in 0..<size.rows - 1 {
      for column in 0..<size.columns where !area.contains(column: column, row: row) {
        let cell = screen[column, row]
        // The other half of a wide character may be below the frame.
        if main[column, row].columns == 1 { #expect(cell.text == main[column, row].text) }
        #expect(cell.role == .muted)
        #expect(screen.actions(for: Mouse(.press, column: column, row: row)).isEmpty)
      }
    }
  }

  @Test(arguments: cases)
  func `has the height of its content, its keys once and its cursor inside`(
    kind: PageKind, size: Size
  ) throws {
    let screen = view(Example.sheet(kind), size: size)
    let area = try #require(frame(screen))
    let inside = (area.row + 1..<area.endRow - 1).map { row in
      (area.column + 1..<area.endColumn - 1).map { screen[$0, row].text }.joined()
    }
    #expect(inside.suffix(1).contains { $0.contains("Esc Back") })
    #expect((0..<size.rows).count { screen.text(row: $0).contains("Esc Back") } == 1)
    #expect(screen.text(row: size.rows - 1).allSatisfy { $0 == " " })
    if kind != .soundSettings {
      // Above the keys and the blank row before them.
      #expect(inside.dropLast(2).last?.contains { $0 != " " } == true)
    }
    if let cursor = screen.cursor {
      #expect(area.contains(column: cursor.column, row: cursor.row))
    } else {
      #expect([.finder, .firmware, .scenes, .pairedDevices, .broadcasts].contains(kind))
    }
  }

  @Test(arguments: kinds, [Size.small, Size(columns: 75, rows: 24), Size(columns: 80, rows: 19)])
  func `is a page where it has no room`(kind: PageKind, size: Size) throws {
    let area = try #require(frame(view(Example.sheet(kind), size: size)))
    #expect(area.columns == size.columns && area.rows >= size.rows - 3)
  }

  @Test func `is a page where it has more lines than room`() throws {
    #expect(try #require(frame(view(Example.sheet(.info), size: .ordinary))).columns == 80)
  }

  @Test(arguments: kinds) func `is a page for a screen reader`(kind: PageKind) {
    let screen = view(Example.sheet(kind), size: .large, style: Style(symbols: .words))
    #expect(!(0..<40).contains { screen.text(row: $0).contains("AUDIO ROUTE") })
  }

  @Test(arguments: sizes) func `keeps its place while the cursor moves`(size: Size) throws {
    let areas = SoundSetting.allCases.indices.map {
      frame(view(Example.sheet(.soundSettings, line: $0), size: size))
    }
    #expect(Set(areas).count == 1)
  }

  /// Every line can be reached, also where not all fit.
  @Test(arguments: sizes) func `shows the line of the cursor`(size: Size) throws {
    for (line, setting) in SoundSetting.allCases.enumerated() {
      let screen = view(Example.sheet(.soundSettings, line: line), size: size)
      let cursor = try #require(screen.cursor)
      #expect(screen.text(row: cursor.row).contains("▸\(setting.title)"))
    }
  }

  @Test func `lets a problem, and the answer to a key, be read`() throws {
    for state in [
      Example.sheet(.touch).changed {
        $0.notice = Notice("not connected", remedy: .connectOrDisconnect)
      },
      Example.sheet(.touch).changed { $0.problem = Problem("not connected", advice: "") },
    ] {
      let screen = view(state, size: .ordinary)
      #expect(screen.text(row: 22).contains("Not connected"))
      #expect([.notice, .error].contains(screen[4, 22].role))
    }
  }

  @Test func `shows what changes behind it`() {
    var state = Example.sheet(.touch)
    state = state.with { $0.battery?.value[.left]?.level = 42 }
    let screen = view(state, size: .large)
    #expect((0..<40).contains { screen.text(row: $0).contains("42%") })
  }
}
