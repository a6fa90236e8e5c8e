import HeadphoneProtocols

extension State {
  /// Reduces a result; those of an earlier link are ignored, as its handles may have changed
  /// meaning.
  mutating func follow(
    _ event: InspectionEvent, of id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    guard let inspection = headphones[id]?.inspection, inspection.isOfThisLink else {
      return ignore("an unexpected inspection event", id, at: timestamp)
    }
    switch event {
    case .surveyed(let services):
      headphones.update(id) {
        $0.inspection?.services = services
        $0.inspection?.stage = .known
      }
      boundInspector()
      return note(.debug, id, "\(services.count) services are known", at: timestamp)
    case .failed(let reason):
      headphones.update(id) { $0.inspection?.stage = .failed(reason) }
      return complain(
        "reading the attributes failed: \(reason)", advice: "r tries again", id, at: timestamp)
    case .value(let handle, let content, let isReported):
      headphones.update(id) { headphone in
        let reported = headphone.inspection?.values[handle]?.reported ?? 0
        headphone.inspection?.values[handle] = InspectedValue(
          content, seenAt: timestamp, reported: reported + (isReported ? 1 : 0))
        if !isReported { headphone.inspection?.pending.remove(handle) }
      }
      return note(
        .debug, id, "\(isReported ? "notified" : "read") \(handleText(handle)): \(content.logText)",
        at: timestamp)
    case .written(let handle, let bytes, let failure):
      headphones.update(id) { _ = $0.inspection?.pending.remove(handle) }
      guard let failure else {
        return say(
          "written to \(handleText(handle)): \(hexadecimalText(bytes))", id, at: timestamp)
      }
      return complain(
        "writing to \(handleText(handle)): \(failure)", advice: "", id, at: timestamp)
    case .subscribed(let handle, let isOn, let failure):
      headphones.update(id) {
        $0.inspection?.pending.remove(handle)
        if isOn, failure == nil {
          $0.inspection?.subscribed.insert(handle)
        } else if !isOn {
          $0.inspection?.subscribed.remove(handle)
        }
      }
      guard let failure else { return [] }
      return complain(
        "subscribing to \(handleText(handle)): \(failure)", advice: "", id, at: timestamp)
    }
  }

  /// Clamps the cursor, since a discovery may find fewer attributes than the one before.
  private mutating func boundInspector() {
    guard page.kind == .inspector, let line = page.line else { return }
    page = .inspector(line: bounded(line))
  }
}

extension InspectedValue.Content {
  fileprivate var logText: String {
    switch self {
    case .bytes(let bytes, _): bytes.isEmpty ? "nothing" : hexadecimalText(bytes)
    case .unreadable(let why): why
    }
  }
}

/// Returns `handle` as four hexadecimal digits: "000B".
package func handleText(_ handle: UInt16) -> String {
  let digits = String(handle, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}

/// Returns `bytes` as pairs of hexadecimal digits, separated by spaces: "01 FF".
package func hexadecimalText(_ bytes: [UInt8]) -> String {
  bytes.map { byte in
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count < 2 ? "0" + digits : digits
  }.joined(separator: " ")
}
