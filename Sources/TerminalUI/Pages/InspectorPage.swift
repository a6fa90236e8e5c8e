internal import Companion
internal import HeadphoneProtocols

extension PageView {
  static let inspector = PageView(.inspector) { $0.inspectorPage($1, line: $2.line ?? 0) }
}

extension Drawing {
  /// Draws the GATT attributes of the selected headphone with their properties and values.
  ///
  /// Values of an earlier link stay, drawn stale. The line under the cursor shows its whole value,
  /// at most 16 rows of bytes.
  mutating func inspectorPage(_ state: State, line: Int) {
    page(state) { drawing, area in
      let headphone = state.headphones.selected
      let inspection = headphone?.inspection
      let isStale = inspection.map { !$0.isOfThisLink } ?? false
      let inner = drawing.frame(
        Box(
          title: "GATT", isFocused: true,
          note: isStale ? "of an earlier link" : drawing.inspectionNote(inspection)), area)
      guard let headphone, let inspection, !inspection.services.isEmpty else {
        let lines = wrapped(
          drawing.emptyText(inspection, headphone), columns: max(1, inner.columns - 2))
        for (place, line) in lines.prefix(inner.rows).enumerated() {
          var pen = Cursor(row: inner.row + place, from: inner.column + 1, to: inner.endColumn - 1)
          drawing.write(line, .muted, &pen)
        }
        return
      }
      let columns = max(1, inner.columns - 2)
      let blocks = state.inspectorEntries.enumerated().map { place, entry in
        drawing.inspectorRows(
          entry, inspection, isChosen: place == line,
          isLive: headphone.link.use == .ready && !isStale,
          columns: columns)
      }
      drawing.listed(blocks, cursor: line, inner) { drawing, row, _, pen in
        for run in row { drawing.write(run.text, run.role, &pen) }
      }
    }
  }

  private func inspectionNote(_ inspection: Inspection?) -> String {
    guard let inspection else { return "" }
    switch inspection.stage {
    case .reading: return "reading\(symbols.ellipsis)"
    case .failed: return inspection.services.isEmpty ? "" : "not complete"
    case .known:
      return inspection.subscribed.isEmpty ? "" : "\(inspection.subscribed.count) subscribed"
    }
  }

  private func emptyText(_ inspection: Inspection?, _ headphone: HeadphoneState?) -> String {
    guard let headphone else { return "No headphone selected." }
    if case .failed(let reason) = inspection?.stage { return displayable(reason).sentence + "." }
    guard !headphone.isAdvertisingOnly else {
      return "It only advertises: there are no attributes to read."
    }
    guard headphone.link.use == .ready else { return "Connect it first to see its attributes." }
    guard inspection != nil else {
      return "\(style.hint(for: .refresh) ?? "--") reads all attributes."
    }
    return "Reading all attributes\(symbols.ellipsis)"
  }

  private typealias Row = [InspectorRun]

  private func inspectorRows(
    _ entry: InspectorEntry, _ inspection: Inspection, isChosen: Bool, isLive: Bool, columns: Int
  ) -> [Row] {
    let mark = InspectorRun(" ", .plain)
    switch entry {
    case .service(let service):
      let range = "\(handleText(service.start))\(symbols.dash)\(handleText(service.end))"
      return [
        [
          mark, InspectorRun(displayable(service.title), isChosen ? .rowSelected : .title),
          InspectorRun("  " + range, .muted),
        ]
      ]
    case .characteristic(let one):
      let subscribed = symbols.areWords ? ", subscribed" : " \(symbols.full) subscribed"
      let isReported = inspection.subscribed.contains(one.handle)
      let head: Row = [
        mark, InspectorRun("  \(handleText(one.handle))  ", .muted),
        InspectorRun(displayable(one.title), isChosen ? .rowSelected : .value),
        InspectorRun("  [\(one.properties)]", .label),
        InspectorRun(isReported ? subscribed : "", .linkReady),
      ]
      return [head]
        + values(
          one.handle, inspection, isChosen: isChosen, isLive: isLive, indent: 10, columns: columns)
    case .descriptor(let one):
      let head: Row = [
        mark, InspectorRun("    \(handleText(one.handle))  ", .muted),
        InspectorRun(displayable(one.title), isChosen ? .rowSelected : .label),
      ]
      return [head]
        + values(
          one.handle, inspection, isChosen: isChosen, isLive: isLive, indent: 12, columns: columns)
    }
  }

  /// Returns the rows of a value, or the reason why it could not be read.
  ///
  /// Under the cursor, bytes take up to 16 rows and their meaning up to 6; elsewhere there is one
  /// row.
  private func values(
    _ handle: UInt16, _ inspection: Inspection, isChosen: Bool, isLive: Bool, indent: Int,
    columns: Int
  ) -> [Row] {
    let indent = min(indent, columns / 4)
    let space = InspectorRun(String(repeating: " ", count: indent), .plain)
    let isPending = inspection.pending.contains(handle)
    guard let value = inspection.values[handle] else {
      return isPending ? [[space, InspectorRun(symbols.ellipsis, .pending)]] : []
    }
    let reported =
      value.reported > 0 ? "  (notified \(value.reported) times, last \(value.seenAt.clock))" : ""
    let role: Role = !isLive ? .stale : isPending ? .pending : .value
    switch value.content {
    case .unreadable(let why):
      return wrapped("not readable: \(displayable(why))", columns: columns - indent)
        .prefix(isChosen ? 8 : 1).map { [space, InspectorRun($0, .warning)] }
    case .bytes(let bytes, let words):
      let octets = bytes.isEmpty ? "(empty)" : hexadecimalText(bytes)
      let meaning = words.map { "  " + displayable($0) } ?? ""
      guard isChosen else {
        return [
          [
            space,
            InspectorRun(
              octets.truncated(to: max(8, columns / 2), ellipsis: symbols.ellipsis), role),
            InspectorRun(meaning, isLive ? .success : .stale), InspectorRun(reported, .muted),
          ]
        ]
      }
      var rows: [Row] = wrapped(octets, columns: columns - indent).prefix(16).map {
        [space, InspectorRun($0, role)]
      }
      for line in wrapped(meaning + reported, columns: columns - indent).prefix(6) {
        rows.append([space, InspectorRun(line, isLive ? .success : .stale)])
      }
      return rows
    }
  }
}

private struct InspectorRun {
  var text: String
  var role: Role

  init(_ text: String, _ role: Role) {
    self.text = text
    self.role = role
  }
}
