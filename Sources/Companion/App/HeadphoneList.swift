/// The headphones in the order of discovery; unless the list is empty, one is selected.
///
/// Iterating yields copies; ``update(_:_:)`` changes one element, and copies of the list share all
/// the others with it.
///
/// ```swift
/// state.headphones.update(id) { $0.failedAttempts = 0 }
/// ```
public struct HeadphoneList: Hashable, Sendable, RandomAccessCollection {
  /// A headphone in storage of its own: a copy of the list copies references.
  private indirect enum Item: Hashable, Sendable {
    case headphone(HeadphoneState)

    var headphone: HeadphoneState {
      get {
        switch self {
        case .headphone(let headphone): headphone
        }
      }
      set { self = .headphone(newValue) }
    }
  }

  private var items: [Item] = []
  /// Where each is in `items`.
  private var places: [HeadphoneID: Int] = [:]
  private var selectedIndex = 0

  public init() {}

  /// Creates a list; of several headphones with the same identity, the first stays.
  public init(_ headphones: some Sequence<HeadphoneState>) {
    for headphone in headphones { insert(headphone) }
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { items.count }
  public subscript(position: Int) -> HeadphoneState { items[position].headphone }

  /// The headphone with this identity; nil: there is none.
  public subscript(id: HeadphoneID) -> HeadphoneState? { places[id].map { self[$0] } }

  /// The selected headphone: it has the cursor of the list, is shown, and gets the commands.
  public var selected: HeadphoneState? { isEmpty ? nil : self[selectedIndex] }

  /// Adds a headphone at the end, unless there is one of that identity.
  public mutating func insert(_ headphone: HeadphoneState) {
    guard places[headphone.id] == nil else { return }
    places[headphone.id] = items.count
    items.append(.headphone(headphone))
  }

  /// Changes one in place.
  ///
  /// - Returns: nil if there is none of that identity.
  @discardableResult
  public mutating func update<Result>(
    _ id: HeadphoneID, _ change: (inout HeadphoneState) -> Result
  ) -> Result? {
    guard let index = places[id] else { return nil }
    return change(&items[index].headphone)
  }

  /// Removes one; the selection stays where it is, or moves to the one before.
  public mutating func remove(_ id: HeadphoneID) {
    guard let index = places.removeValue(forKey: id) else { return }
    items.remove(at: index)
    for place in index..<items.count { places[self[place].id] = place }
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
    guard let headphone = self[newer], let place = places[older] else { return }
    let isSelected = selected?.id == newer || selected?.id == older
    var united = headphone.known(as: older)
    united.soundPin = headphone.soundPin ?? self[place].soundPin
    if united.correction.choice == CorrectionChoice() {
      united.correction.choice = self[place].correction.choice
    }
    united.care = self[place].care
    items[place] = .headphone(united)
    remove(newer)
    if isSelected { select(older) }
  }

  /// Selects a headphone; an unknown identity changes nothing.
  public mutating func select(_ id: HeadphoneID) {
    if let index = places[id] { selectedIndex = index }
  }

  /// The headphone `step` places from the selected one, round the ends; nil: the list is empty.
  public func neighbour(by step: Int) -> HeadphoneState? {
    guard !items.isEmpty else { return nil }
    let place = (selectedIndex + step) % items.count
    return self[place < 0 ? place + items.count : place]
  }
}
