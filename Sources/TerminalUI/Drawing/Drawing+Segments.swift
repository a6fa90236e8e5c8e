internal import Companion

/// A choice of one among few, drawn as a row of segments.
///
/// ```
///  a Off  ▐Noise cancelling▌  Transparency …
/// ```
///
/// A pending segment ends with "…" instead of a cap. A value from an earlier link is drawn stale.
/// All variants of a segment have the same width, so nothing moves when the choice changes.
struct Segments {
  var labels: [String]
  var keys: [String]
  var actions: [Action] = []
  var selected: Int?
  var pending: Int?
  var isLive = true
}

extension Drawing {
  /// Draws the first variant that fits, or else the last one's page with the selected segment.
  mutating func segments(_ variants: [Segments], _ pen: inout Cursor) {
    guard let last = variants.last, !last.labels.isEmpty else {
      return write("--", .unknown, &pen)
    }
    guard !symbols.areWords else { return words(of: variants[0], &pen) }
    if let fitting = variants.first(where: { columns(of: $0) <= pen.room }) {
      for place in fitting.labels.indices { segment(place, of: fitting, &pen) }
    } else if let place = last.pending ?? last.selected {
      let page = page(of: last, with: place, columns: pen.room)
      write(page.lowerBound > 0 ? symbols.moreBefore : "", .muted, &pen)
      for place in page { segment(place, of: last, &pen) }
      write(page.upperBound < last.labels.count ? symbols.moreAfter : "", .muted, &pen)
    } else {
      write("--", .unknown, &pen)
    }
  }

  /// Writes the chosen label and then the others, each with its key.
  private mutating func words(of segments: Segments, _ pen: inout Cursor) {
    let chosen = segments.pending ?? segments.selected
    func click(_ place: Int, from start: Int) {
      guard segments.actions.indices.contains(place) else { return }
      clickable(from: start, to: pen, [segments.actions[place]])
    }
    if let chosen {
      let start = pen.column
      let isPending = segments.pending == chosen
      write(
        segments.labels[chosen] + (isPending ? symbols.pending : ""),
        !segments.isLive ? .segmentStale : isPending ? .segmentPending : .segmentSelected, &pen)
      click(chosen, from: start)
    } else {
      write("--", .unknown, &pen)
    }
    let others = segments.labels.indices.filter { $0 != chosen }
    for place in others {
      write(place == others.first ? "; also " : ", ", .muted, &pen)
      let start = pen.column
      if !segments.keys[place].isEmpty { write(segments.keys[place] + " ", .key, &pen) }
      write(segments.labels[place], segments.isLive ? .segment : .stale, &pen)
      click(place, from: start)
    }
  }

  /// Returns the segments that share a page with `place`; pages are fixed, so that nothing moves.
  private func page(of segments: Segments, with place: Int, columns: Int) -> Range<Int> {
    let room = columns - symbols.moreBefore.columns - symbols.moreAfter.columns
    var page = 0..<0
    var width = 0
    for next in segments.labels.indices {
      let columns = segments.columns(next)
      if width + columns > room, next > page.lowerBound {
        if page.contains(place) { break }
        (page, width) = (next..<next, 0)
      }
      page = page.lowerBound..<next + 1
      width += columns
    }
    return page
  }

  private func columns(of segments: Segments) -> Int {
    segments.labels.indices.reduce(0) { $0 + segments.columns($1) }
  }

  private mutating func segment(_ place: Int, of segments: Segments, _ pen: inout Cursor) {
    let text = segments.text(place)
    let start = pen.column
    defer {
      let actions = segments.actions.indices.contains(place) ? [segments.actions[place]] : []
      clickable(from: start, to: pen, actions)
    }
    if place == segments.pending {
      write(symbols.capLeft, .segmentPendingCap, &pen)
      write(text, .segmentPending, &pen)
      write(symbols.pendingCap, .segmentPending, &pen)
    } else if place == segments.selected {
      write(symbols.capLeft, segments.isLive ? .segmentSelectedCap : .segmentStaleCap, &pen)
      write(text, segments.isLive ? .segmentSelected : .segmentStale, &pen)
      write(symbols.capRight, segments.isLive ? .segmentSelectedCap : .segmentStaleCap, &pen)
    } else {
      skip(1, &pen)
      if !segments.keys[place].isEmpty, segments.isLive {
        write(segments.keys[place], .key, &pen)
        skip(1, &pen)
        write(segments.labels[place], .segment, &pen)
      } else {
        write(text, segments.isLive ? .segment : .stale, &pen)
      }
      skip(1, &pen)
    }
  }
}

extension Segments {
  fileprivate func text(_ place: Int) -> String {
    keys[place].isEmpty ? labels[place] : keys[place] + " " + labels[place]
  }

  fileprivate func columns(_ place: Int) -> Int { text(place).columns + 2 }
}
