/// The headphones in the order of discovery; unless the list is empty, one is selected.
///
/// Lookups are linear: the list is bounded by the eviction of unknown devices, see
/// `discardUnmatchedDevices`. Iterating yields copies; ``update(_:_:)`` changes an element in
/// place.
///
/// ```swift
/// state.headphones.update(id) { $0.failedAttempts = 0 }
/// ```
public struct HeadphoneList: Hashable, Sendable, RandomAccessCollection {
  private var items: [HeadphoneState] = []
  private var selectedIndex = 0

  public init() {}

  /// Creates a list; of several headphones with the same identity, the first stays.
  public init(_ headphones: some Sequence<HeadphoneState>) {
    for headphone in headphones { insert(headphone) }
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { items.count }
  public subscript(position: Int) -> HeadphoneState { items[position] }

  /// The headphone with this identity; nil: there is none.
  public subscript(id: HeadphoneID) -> HeadphoneState? { index(of: id).map { items[$0] } }

  /// Its place; by the identity alone, because a search through the elements copies each of them.
  private func index(of id: HeadphoneID) -> Int? { items.indices.first { items[$0].id == id } }

  /// The selected headphone: it has the cursor of the list, is shown, and gets the commands.
  public var selected: HeadphoneState? { items.isEmpty ? nil : items[selectedIndex] }

  /// Adds a headphone at the end, unless there is one of that identity.
  public mutating func insert(_ headphone: HeadphoneState) {
    guard self[headphone.id] == nil else { return }
    items.append(headphone)
  }

  /// Changes one in place.
  ///
  /// - Returns: nil if there is none of that identity.
  @discardableResult
  public mutating func update<Result>(
    _ id: HeadphoneID, _ change: (inout HeadphoneState) -> Result
  ) -> Result? {
    guard let index = index(of: id) else { return nil }
    return change(&items[index])
  }

  /// Removes one; the selection stays where it is, or moves to the one before.
  public mutating func remove(_ id: HeadphoneID) {
    guard let index = index(of: id) else { return }
    items.remove(at: index)
    if selectedIndex > index || selectedIndex == items.count {
      selectedIndex = Swift.max(0, selectedIndex - 1)
    }
  }

  /// Merges two entries of one headphone: the newer one takes the older one's identity and
  /// its place in the list.
  ///
  /// A pinned sound device survives the merge, the newer entry's before the older one's, and the
  /// selection follows whichever of the two was selected.
  mutating func merge(_ newer: HeadphoneID, with older: HeadphoneID) {
    guard let headphone = self[newer], let place = index(of: older) else { return }
    let isSelected = selected?.id == newer || selected?.id == older
    var united = headphone.known(as: older)
    united.soundPin = headphone.soundPin ?? items[place].soundPin
    if united.correction.choice == CorrectionChoice() {
      united.correction.choice = items[place].correction.choice
    }
    united.care = items[place].care
    items[place] = united
    remove(newer)
    if isSelected { select(older) }
  }

  /// Selects a headphone; an unknown identity changes nothing.
  public mutating func select(_ id: HeadphoneID) {
    if let index = index(of: id) { selectedIndex = index }
  }

  /// The headphone `step` places from the selected one, round the ends; nil: the list is empty.
  public func neighbour(by step: Int) -> HeadphoneState? {
    guard !items.isEmpty else { return nil }
    let place = (selectedIndex + step) % items.count
    return items[place < 0 ? place + items.count : place]
  }
}
