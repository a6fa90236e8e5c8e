import HeadphoneProtocols

package enum InspectorEntry: Hashable, Sendable {
  case service(InspectedService)
  case characteristic(InspectedCharacteristic)
  case descriptor(InspectedDescriptor)

  /// The handle of the value; nil for a service.
  package var handle: UInt16? {
    switch self {
    case .service: nil
    case .characteristic(let characteristic): characteristic.handle
    case .descriptor(let descriptor): descriptor.handle
    }
  }

  fileprivate var text: String {
    switch self {
    case .service(let service): service.title
    case .characteristic(let one): one.title
    case .descriptor(let one): one.title
    }
  }
}

extension UserCommand {
  static let inspectorCommands = [write, subscribe]

  package static let write = UserCommand(
    "write", keys: ["W"], "in the inspector: write bytes (asks)",
    shortSummary: "write bytes (asks)", reach: .none, label: "Write", action: ofPages)
  package static let subscribe = UserCommand(
    "subscribe", keys: ["u"], "in the inspector: toggle notifications",
    shortSummary: "toggle notifications", reach: .none, label: "Subscribe", action: ofPages)
}

extension PageKind {
  package static let inspector = PageKind(
    "GATT inspector",
    commands: [
      PageCommand(
        .accept, "read the value, or toggle notifications",
        currentLabel: { $0.labelForReading }
      ) { $0.inspect(.accept, at: $1) },
      PageCommand(.subscribe, currentLabel: { $0.labelForSubscribing }) {
        $0.inspect(.subscribe, at: $1)
      },
      PageCommand(.write, currentLabel: { $0.labelForWriting }) { $0.inspect(.write, at: $1) },
      PageCommand(.refresh, "read all attributes again", label: "Reload") {
        $0.inspect(.refresh, at: $1)
      },
      PageCommand(.otherPanel, "information", label: "Info") { state, _ in
        state.returnToInformation()
      },
      PageCommand(.previousPanel, "information") { state, _ in state.returnToInformation() },
      PageCommand(.info, "close the page") { state, _ in state.open(state.page) },
    ] + PageCommand.lines,
    lines: { state in
      state.inspectorEntries.map { PageLine($0.text, copied: state.copyText(of: $0)) }
    })
}

extension Question.Subject {
  /// The question before a raw write, which may damage the headphone.
  package static func writeAttribute(_ write: AttributeWrite) -> Self {
    Self("Write these bytes?", yes: "Write", of: write, text: { $0.text(of: write) }) {
      $0.execute(write, at: $1)
    }
  }
}

extension TextEntry.Purpose {
  package static func attribute(_ write: AttributeWrite) -> Self {
    Self(
      "BYTES FOR \(handleText(write.handle))",
      "Hexadecimal, \(write.withResponse ? "with" : "without") response (Tab switches).", of: write,
      tab: { $0.switchResponse(of: write, $1) }
    ) { state, entry, _ in state.accept(write, as: entry) }
  }
}

extension State {
  /// The services, characteristics and descriptors in handle order.
  package var inspectorEntries: [InspectorEntry] {
    (headphones.selected?.inspection?.services ?? []).flatMap { service in
      [.service(service)]
        + service.characteristics.flatMap { characteristic in
          [.characteristic(characteristic)]
            + characteristic.descriptors.map(InspectorEntry.descriptor)
        }
    }
  }

  private var entryUnderCursor: InspectorEntry? {
    page.line.flatMap { inspectorEntries.element(at: $0) }
  }

  fileprivate var labelForReading: String? {
    switch entryUnderCursor {
    case .characteristic(let one): one.abilities.contains(.read) ? "Read" : nil
    case .descriptor: "Read"
    case .service, nil: nil
    }
  }

  fileprivate var labelForSubscribing: String? {
    guard case .characteristic(let one) = entryUnderCursor, one.abilities.contains(.subscribe)
    else {
      return nil
    }
    let isOn = headphones.selected?.inspection?.subscribed.contains(one.handle) == true
    return isOn ? "Unsubscribe" : "Subscribe"
  }

  fileprivate var labelForWriting: String? {
    guard case .characteristic(let one) = entryUnderCursor else { return nil }
    return one.abilities.isDisjoint(with: [.write, .writeWithoutResponse]) ? nil : "Write"
  }

  fileprivate func copyText(of entry: InspectorEntry) -> String {
    guard let handle = entry.handle,
      case .bytes(let bytes, _) = headphones.selected?.inspection?.values[handle]?.content
    else { return entry.text }
    return hexadecimalText(bytes)
  }

  fileprivate mutating func returnToInformation() -> [Effect] {
    page = .info(line: 0)
    return []
  }

  /// Opens the page, and discovers unknown attributes unless the link is updating or pairing.
  mutating func openInspector(at timestamp: Timestamp) -> [Effect] {
    page = .inspector(line: 0)
    guard let headphone = headphones.selected else { return [] }
    if headphone.inspection?.isUsable == true { return [] }
    guard headphone.link.use == .ready else { return [] }
    return survey(headphone.id)
  }

  private mutating func survey(_ id: HeadphoneID) -> [Effect] {
    let subscribed = headphones[id]?.inspection?.subscribed ?? []
    headphones.update(id) { $0.inspection = Inspection() }
    return subscribed.sorted().map { .subscribeAttribute(id, $0, isOn: false) } + [.inspect(id)]
  }

  /// Acts on the line under the cursor.
  fileprivate mutating func inspect(_ command: UserCommand, at timestamp: Timestamp) -> [Effect] {
    guard let line = page.line else { return [] }
    guard let headphone = headphones.selected, headphone.link.use == .ready else {
      return noteNotConnected(at: timestamp)
    }
    let entries = inspectorEntries
    guard let inspection = headphone.inspection, inspection.isOfThisLink,
      command != .refresh, entries.indices.contains(line)
    else { return survey(headphone.id) }
    switch (entries[line], command) {
    case (.service, _): return explain("go to a characteristic first", headphone.id, at: timestamp)
    case (.characteristic(let one), .subscribe):
      return toggle(one, inspection, headphone, timestamp)
    case (.characteristic(let one), .write): return askForBytes(one, headphone, timestamp)
    case (.characteristic(let one), _) where one.abilities.contains(.read):
      return read(one.handle, headphone.id)
    case (.characteristic(let one), _) where one.abilities.contains(.subscribe):
      return toggle(one, inspection, headphone, timestamp)
    case (.characteristic, _): return explain("it can only be written", headphone.id, at: timestamp)
    case (.descriptor(let one), .accept): return read(one.handle, headphone.id)
    case (.descriptor, _):
      return explain("only for characteristics", headphone.id, at: timestamp)
    }
  }

  private mutating func read(_ handle: UInt16, _ id: HeadphoneID) -> [Effect] {
    headphones.update(id) { $0.inspection?.pending.insert(handle) }
    return [.readAttribute(id, handle)]
  }

  private mutating func toggle(
    _ one: InspectedCharacteristic, _ inspection: Inspection, _ headphone: HeadphoneState,
    _ timestamp: Timestamp
  ) -> [Effect] {
    guard one.abilities.contains(.subscribe) else {
      return explain("it cannot notify or indicate", headphone.id, at: timestamp)
    }
    guard !inspection.pending.contains(one.handle) else { return [] }
    headphones.update(headphone.id) { $0.inspection?.pending.insert(one.handle) }
    let isOn = !inspection.subscribed.contains(one.handle)
    return [.subscribeAttribute(headphone.id, one.handle, isOn: isOn)]
  }

  /// Asks for the bytes to write, with response if possible, as the safer way.
  private mutating func askForBytes(
    _ one: InspectedCharacteristic, _ headphone: HeadphoneState, _ timestamp: Timestamp
  ) -> [Effect] {
    guard !one.abilities.isDisjoint(with: [.write, .writeWithoutResponse]) else {
      return explain("it cannot be written", headphone.id, at: timestamp)
    }
    let write = AttributeWrite(
      headphone: headphone.id, handle: one.handle, withResponse: one.abilities.contains(.write))
    dialog = .entry(TextEntry(.attribute(write)))
    return []
  }

  fileprivate mutating func switchResponse(of write: AttributeWrite, _ entry: TextEntry)
    -> [Effect]
  {
    guard
      headphones[write.headphone]?.inspection?.characteristic(write.handle)?.abilities
        .isSuperset(of: [.write, .writeWithoutResponse]) == true
    else { return [] }
    var write = write
    var entry = entry
    write.withResponse.toggle()
    entry.purpose = .attribute(write)
    dialog = .entry(entry)
    return []
  }

  /// Asks for confirmation of the bytes: pairs of hexadecimal digits, spaces and colons.
  fileprivate mutating func accept(_ write: AttributeWrite, as entry: TextEntry) -> [Effect] {
    guard let bytes = hexadecimalBytes(entry.text), !bytes.isEmpty, bytes.count <= 512 else {
      return complain("pairs of hexadecimal digits are needed, at most 512", in: entry)
    }
    var write = write
    write.bytes = bytes
    dialog = .question(Question(.writeAttribute(write)))
    return []
  }

  fileprivate func text(of write: AttributeWrite) -> String {
    let title =
      headphones[write.headphone]?.inspection?.characteristic(write.handle)?.title ?? "the value"
    let count = write.bytes.count
    return "Write \(count) \(count == 1 ? "byte" : "bytes") to \(title), handle "
      + "\(handleText(write.handle)), \(write.withResponse ? "with" : "without") response: "
      + "\(hexadecimalText(write.bytes))? A wrong write can damage the headphone."
  }

  /// Sends the bytes, unless the link has changed since the question was asked.
  fileprivate mutating func execute(_ write: AttributeWrite, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones[write.headphone], headphone.link.use == .ready,
      headphone.inspection?.isOfThisLink == true
    else { return noteNotConnected(at: timestamp) }
    headphones.update(write.headphone) { $0.inspection?.pending.insert(write.handle) }
    return [.writeAttribute(write)]
  }
}

/// Returns the bytes of hexadecimal digits such as "01 ff" or "01FF", or nil if there are others.
func hexadecimalBytes(_ text: String) -> [UInt8]? {
  let digits = text.filter { !$0.isWhitespace && $0 != ":" }.utf8.map { Character(.init($0)) }
  guard digits.count.isMultiple(of: 2) else { return nil }
  var bytes: [UInt8] = []
  for index in stride(from: 0, to: digits.count, by: 2) {
    guard digits[index].isASCII, digits[index + 1].isASCII,
      let high = digits[index].hexDigitValue, let low = digits[index + 1].hexDigitValue
    else { return nil }
    bytes.append(UInt8(high << 4 | low))
  }
  return bytes
}
