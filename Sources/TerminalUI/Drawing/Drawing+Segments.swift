internal import Companion

/// A choice of one among few, as a row of segments.
///
/// ```
///  a Off  ▐Noise cancelling▌  Transparency …
/// ```
///
/// A pending segment ends with "…" instead of a cap; a segment of an earlier link is drawn stale.
/// All variants of a segment have the same width, so nothing moves when the choice does.
struct Segments {
  var labels: [String]
  /// The keys that choose each; empty where there is none.
  var keys: [String]
  /// What a click on each causes; empty: nothing.
  var actions: [Action] = []
  var selected: Int?
  /// Asked for, not yet confirmed; nil: nothing is under way.
  var pending: Int?
  /// False: known from before.
  var isLive = true
}

extension Drawing {
  /// Draws the first of several ways to write the same choice that fits; else a page of the
  /// shortest, the one with what is chosen.
  ///
  /// - Parameters:
  ///   - variants: The widest first, for example with keys, without keys, with short labels.
  ///   - pen: Moves behind what was written.
  mutating func segments(_ variants: [Segments], _ pen: inout Cursor) {
    guard let last = variants.last, !last.labels.isEmpty else {
      return write("--", .unknown, &pen)
    }
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

  /// The segments that share the room with one of them.
  ///
  /// Pages begin at fixed segments, so that nothing moves while the choice stays on one.
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

  /// Caps included; the same whatever is chosen, so that nothing moves.
  private func columns(of segments: Segments) -> Int {
    segments.labels.indices.reduce(0) { $0 + segments.columns($1) }
  }

  /// One segment with its caps; clickable if it has an action.
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
      // "…" in place of the cap: the value is pending.
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
  /// The label with its key before it, if it has one.
  fileprivate func text(_ place: Int) -> String {
    keys[place].isEmpty ? labels[place] : keys[place] + " " + labels[place]
  }

  /// The width of a segment with its caps.
  fileprivate func columns(_ place: Int) -> Int { text(place).columns + 2 }
}
