internal import BluetoothCodec

/// The headphones in the order of discovery; unless the list is empty, one is selected.
///
/// Screens show them in ``State/headphoneOrder``. Lookups are linear, since the eviction of unknown
/// devices limits the list. Iteration yields copies, while ``update(_:_:)`` changes in place.
package struct HeadphoneList: Hashable, Sendable, RandomAccessCollection {
  private var items: [HeadphoneState] = []
  private var selectedIndex = 0

  package init() {}

  /// Creates a list, keeping the first headphone of each identity.
  package init(_ headphones: some Sequence<HeadphoneState>) {
    for headphone in headphones { insert(headphone) }
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { items.count }
  package subscript(position: Int) -> HeadphoneState { items[position] }

  package subscript(id: HeadphoneID) -> HeadphoneState? { index(of: id).map { items[$0] } }

  /// Returns the index without iterating over the elements, which would copy each.
  private func index(of id: HeadphoneID) -> Int? { items.indices.first { items[$0].id == id } }

  package var selected: HeadphoneState? { items.isEmpty ? nil : items[selectedIndex] }

  /// Returns the headphone's name, not sanitised, or its address if it has no name.
  ///
  /// If another headphone has the same name, the end of the address follows: "LE Duo :88".
  package func label(of headphone: HeadphoneState) -> String {
    let address = headphone.address.address.description
    guard !headphone.name.isEmpty else { return address }
    let others = items.filter { $0.id != headphone.id && $0.name == headphone.name }
      .map(\.address.address.description)
    guard !others.isEmpty else { return headphone.name }
    // Each byte has two digits after a colon.
    let ends = stride(from: 3, to: address.count, by: 3).map { String(address.suffix($0)) }
    let end = ends.first { end in !others.contains { $0.hasSuffix(end) } }
    return "\(headphone.name) \(end ?? address)"
  }

  package mutating func insert(_ headphone: HeadphoneState) {
    guard self[headphone.id] == nil else { return }
    items.append(headphone)
  }

  /// Changes a headphone in place; returns nil if there is none with this identity.
  @discardableResult
  package mutating func update<Result>(
    _ id: HeadphoneID, _ change: (inout HeadphoneState) -> Result
  ) -> Result? {
    guard let index = index(of: id) else { return nil }
    return change(&items[index])
  }

  /// Removes a headphone; the selection stays in place, or moves to the previous one.
  package mutating func remove(_ id: HeadphoneID) {
    guard let index = index(of: id) else { return }
    items.remove(at: index)
    if selectedIndex > index || selectedIndex == items.count {
      selectedIndex = Swift.max(0, selectedIndex - 1)
    }
  }

  /// Merges two entries of one headphone under the older identity; the newer entry's pin wins.
  mutating func merge(_ newer: HeadphoneID, with older: HeadphoneID) {
    guard let headphone = self[newer], let place = index(of: older) else { return }
    let isSelected = selected?.id == newer || selected?.id == older
    var united = headphone.known(as: older)
    united.soundPin = headphone.soundPin ?? items[place].soundPin
    if united.correction.choice == CorrectionChoice() {
      united.correction.choice = items[place].correction.choice
    }
    united.care = items[place].care
    if items[place].link.isWanted { united.hold.join(items[place].hold) }
    items[place] = united
    remove(newer)
    if isSelected { select(older) }
  }

  package mutating func select(_ id: HeadphoneID) {
    if let index = index(of: id) { selectedIndex = index }
  }
}
