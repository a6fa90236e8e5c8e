/// A queue with amortised O(1) ``append(_:)`` and ``popFirst()``, and O(*n*) searches.
struct FIFO<Element> {
  private var storage: [Element?] = []
  private var head = 0

  init() {}

  var count: Int { storage.count - head }

  var isEmpty: Bool { storage.count == head }

  mutating func append(_ element: Element) { storage.append(element) }

  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = storage[head].take()
    head += 1
    if isEmpty {
      storage.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 64, head * 2 >= storage.count {
      storage.removeFirst(head)
      head = 0
    }
    return element
  }

  mutating func remove(where matches: (Element) -> Bool) -> Element? {
    guard let index = firstIndex(where: matches) else { return nil }
    return storage.remove(at: index)
  }

  mutating func update(where matches: (Element) -> Bool, _ change: (inout Element) -> Void) {
    guard let index = firstIndex(where: matches), var element = storage[index].take() else {
      return
    }
    change(&element)
    storage[index] = element
  }

  mutating func updateFirst(_ change: (inout Element) -> Void) {
    update(where: { _ in true }, change)
  }

  mutating func removeAll() -> [Element] {
    let all = storage[head...].compactMap { $0 }
    storage.removeAll(keepingCapacity: true)
    head = 0
    return all
  }

  private func firstIndex(where matches: (Element) -> Bool) -> Int? {
    storage[head...].firstIndex { $0.map(matches) ?? false }
  }
}

extension FIFO: Sendable where Element: Sendable {}
