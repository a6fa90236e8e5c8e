import BluetoothCodec
import Testing

@testable import HeadphoneProtocols

/// The replay of a conversation to a new protocol, with the contradictions.
struct ConversationReplay {
  private let conversation: Conversation
  private let language: RecordedProtocol
  private var proto: any HeadphoneProtocol
  /// The values that the protocol has requested or would request, whatever their frame's number.
  private var asked: Set<[UInt8]> = []
  /// The contradictions of the protocol, by the string's identifier.
  private(set) var contradictions: [String: String] = [:]
  /// The meaning of each string to the protocol in words, by the string's identifier.
  private(set) var meanings: [String: String] = [:]
  /// The evidence in the recorded strings, in order.
  private(set) var proofs: [(feature: String, proof: Evidence.Proof)] = []
  /// The recorded commands whose values the headphone has not reported yet.
  private var unconfirmed: [HeadphoneCommand] = []

  /// Creates a replay; `earlier` is played before, in this order.
  init(_ conversation: Conversation, after earlier: [[UInt8]] = []) throws {
    self.conversation = conversation
    language = try #require(conversation.family.conversationProtocol)
    proto = language.opened(conversation.service)
    ask(proto.questions())
    for bytes in earlier { _ = take(bytes) }
    for item in conversation.items {
      if let contradiction = try play(item) { contradictions[item.id] = contradiction }
    }
    for item in conversation.items where item.asks && !asked.contains(comparable(item.bytes)) {
      contradictions[item.id] = "it is never asked"
    }
  }

  /// Plays a string, and returns how it contradicts the protocol, or nil.
  private mutating func play(_ item: Conversation.Item) throws -> String? {
    guard item.foreign == nil else { return readsForeign(item.bytes) }
    if item.isFromHeadphone { return readsOwn(item) }
    meanings[item.id] = item.sets ?? (item.asks ? "asked" : "never sent")
    guard let sets = item.sets else { return nil }
    do {
      let command = try HeadphoneCommand(words: sets, proto.capabilities)
      let exchanges = try proto.exchanges(for: command)
      ask(exchanges)
      let written = exchanges.flatMap(\.values).map { comparable(framed($0)) }
      guard !written.contains(comparable(item.bytes)) else {
        if item.isRecorded { prove(command) }
        return nil
      }
      return "\(sets) is written as " + written.map { hexadecimal($0[...]) }.joined(separator: ", ")
    } catch {
      return "\(sets): \(error)"
    }
  }

  /// Returns how a foreign string becomes a value, which it must not, or nil.
  private func readsForeign(_ bytes: [UInt8]) -> String? {
    var copy = self
    let values = copy.take(bytes).filter { !$0.isMalformed && $0.words != "unknown" }
    return values.isEmpty ? nil : "it is read as \(values.map(\.words))"
  }

  /// Returns how a string is not a frame of the family, or has another meaning than known, or nil.
  private mutating func readsOwn(_ item: Conversation.Item) -> String? {
    let known = proto.information.features
    let events = take(item.bytes)
    guard (try? language.rewritten(item.bytes[...])) == item.bytes else { return "it is no frame" }
    let added = proto.information.features.filter { !known.contains($0) }
    let meaning = events.map(\.words) + added.map { "\($0.feature) \($0.value)" }
    meanings[item.id] = meaning.isEmpty ? "no value changes" : meaning.joined(separator: ", ")
    if let informs = item.informs {
      let words = added.map { "\($0.feature) \($0.value)" }
      guard words == informs else { return "it adds \(words)" }
      if item.isRecorded { proofs += added.map { ($0.feature, .read) } }
    }
    if let reads = item.reads {
      let words = events.map(\.words)
      guard words == reads else { return "it is read as \(words)" }
      if item.isRecorded { for event in events { prove(event) } }
      return nil
    }
    let malformed = events.filter(\.isMalformed)
    return malformed.isEmpty ? nil : "it is read as \(malformed.map(\.words))"
  }

  /// Records the evidence of a command.
  private mutating func prove(_ command: HeadphoneCommand) {
    proofs += command.features.map { ($0, .set) }
    unconfirmed.removeAll { $0.features == command.features }
    unconfirmed.append(command)
  }

  /// Records the evidence of a report, and the commands that it confirms.
  private mutating func prove(_ event: HeadphoneEvent) {
    proofs += event.features.map { ($0, .read) }
    let confirmed = unconfirmed.filter { event.confirms($0) }
    proofs += confirmed.flatMap(\.features).map { ($0, .confirmed) }
    unconfirmed.removeAll { confirmed.contains($0) }
  }

  /// Returns the events that a piece of the stream reports.
  private mutating func take(_ bytes: [UInt8]) -> [HeadphoneEvent] {
    var events: [HeadphoneEvent] = []
    for message in proto.messages(in: ([0xEE] + bytes).dropFirst()) {
      events += proto.receive(message).events
    }
    // What would be asked now; the conversation itself has other questions.
    var next = proto
    for _ in 0..<8 { ask(next.furtherQuestions()) }
    return events
  }

  private mutating func ask(_ exchanges: [Exchange]) {
    for value in exchanges.flatMap(\.values) { asked.insert(comparable(framed(value))) }
  }

  /// Returns the value as it is written.
  private func framed(_ value: Bytes) -> [UInt8] {
    var next = proto
    return Array(next.framed(value))
  }

  /// Returns the string without its frame's number, which each program counts separately.
  private func comparable(_ bytes: [UInt8]) -> [UInt8] { language.unnumbered(bytes[...]) }
}

/// A feature of the device information, and its value.
private struct InformationFeature: Equatable {
  var feature: String
  var value: String
}

extension DeviceInformation {
  fileprivate var features: [InformationFeature] {
    [("model", model), ("serial", serial), ("firmware", firmware)].compactMap { feature, value in
      value.map { InformationFeature(feature: feature, value: $0) }
    }
  }
}

extension HeadphoneEvent {
  fileprivate var isMalformed: Bool { if case .malformed = self { true } else { false } }
}
