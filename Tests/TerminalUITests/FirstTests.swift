import TerminalUI
import Testing

@Test func sizesCompareByColumnsAndRows() {
  #expect(Size(columns: 80, rows: 24) != Size(columns: 24, rows: 80))
}
