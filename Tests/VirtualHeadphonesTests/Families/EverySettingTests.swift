import Bluetooth
import BluetoothCodec
import Configuration
import Foundation
import GATT
import HeadphoneDrivers
import HeadphoneProtocols
import TestSupport
import Testing

@testable import VirtualHeadphones

/// What a virtual headphone of another maker declares, it has: each value can be set and is read back.
@Suite struct EverySettingTests {
  /// A virtual headphone on the channel of its family, whose driver has started.
  private struct Conversation {
    let able: Capabilities
    let driver: any HeadphoneDriver
    let events: HeadphoneEvents
    let close: @Sendable () async -> Void

    init(_ model: VirtualModel) async throws {
      let clock = ManualClock()
      let phone = Phone(model.timed(by: clock))
      let (emitter, events) = EventEmitter.makeEvents()
      self.events = events
      guard let address = model.audioAddress, !(model.family?.isOnLE ?? true) else {
        let client = try await phone.connect()
        driver = GATTDriver(client: client, models: .bundled, clock: clock, emitter: emitter)
        able = try await driver.start().capabilities
        close = { await client.close() }
        return
      }
      let forced = Self.family(sharing: model)
      let bearer = try await HeadphoneFamily.connectAudioSide(
        of: address, forced: forced, on: phone.radio, timeout: .seconds(1), clock: clock)
      driver = try #require(
        HeadphoneFamily.driver(
          on: bearer, forced: forced, clock: clock, emitter: emitter))
      able = try await driver.start().capabilities
      close = { bearer.close(.user) }
    }

    /// The family that a person has to name, where makers share the headphone's service.
    private static func family(sharing model: VirtualModel) -> HeadphoneFamily? {
      guard case .serial(let serial)? = model.family else { return nil }
      return HeadphoneFamily.allCases.first { family in
        family.serialProtocol?.services.contains {
          $0.isShared && $0.uuid == serial.headphone.service
        } == true
      }
    }

  }

  /// The values of settings, in the order in which they were reported or set.
  private typealias Values = [SettingID: [SettingValue]]

  private static let models =
    (VirtualModel.families + VirtualModel.leAudio).filter {
      if case .proximity? = $0.family { false } else { true }
    } + [.serial(34, "1MORE SonoFlow", VirtualOneMore(level: 80))]

  @Test(arguments: models)
  func `each value of each setting is set and read back`(_ model: VirtualModel) async throws {
    let conversation = try await Conversation(model)
    var wanted: Values = [:]
    for declaration in conversation.able.settings {
      wanted[declaration.id] = []
      // The last value is another than at the start, or the first one again.
      for value in declaration.values + declaration.values.prefix(1) {
        do {
          try await conversation.driver.perform(.set(declaration.id, value))
          wanted[declaration.id]?.append(value)
          try await conversation.driver.refresh()
        } catch {
          Issue.record("\(model.name): \(declaration.id) to \(value): \(error)")
        }
      }
    }
    // A state that was under way may have answered a reading: the last one is still to come then.
    var reported: Values = [:]
    var events = conversation.events.makeAsyncIterator()
    while !wanted.allSatisfy({ contains(reported[$0], $1) }), let event = await events.next() {
      guard case .settingChanged(let id, let value) = event else { continue }
      reported[id, default: []].append(value)
    }
    for (id, values) in wanted {
      #expect(
        contains(reported[id], values), "\(model.name): \(id) \(reported[id] ?? []), not \(values)")
    }
    await conversation.close()
  }

  /// The declarations are read in the sources, where they are literals, so that a new one fails here
  /// until a headphone has it.
  @Test func `every setting that a maker's protocol declares is one of a virtual headphone`()
    async throws
  {
    var settings: Set<String> = []
    for model in Self.models {
      let conversation = try await Conversation(model)
      settings.formUnion(conversation.able.settings.map(\.id.rawValue))
      await conversation.close()
    }
    let protocols = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/HeadphoneProtocols").standardized
    let files = FileManager.default.enumerator(at: protocols, includingPropertiesForKeys: nil)
    // What Fast Pair reports comes by its message stream, beside these channels (FastPairDriverTests).
    let own = ["Earshot", "Settings", "FastPair"].map { protocols.appending(path: $0).path + "/" }
    // An identifier, and behind it its kind or its title; but no choice of one.
    let literal =
      /(SettingChoice\()?"([a-z]+(?:-[a-z]+)*)",\s*(?:\.toggle|\.choice|\.level|\.reading|SettingDeclaration\.|"[A-Z]|title: )/
    var declared: Set<String> = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift", !own.contains(where: file.path.hasPrefix) else {
        continue
      }
      let source = try String(contentsOf: file, encoding: .utf8)
      declared.formUnion(
        source.matches(of: literal).filter { $0.output.1 == nil }.map { String($0.output.2) })
    }
    #expect(declared.count >= 40, "\(declared.sorted())")
    let missing = declared.filter { id in
      // Of a tap each bud has its own.
      !settings.contains { $0 == id || $0 == "\(id)-left" }
    }
    #expect(missing.isEmpty, "\(missing.sorted())")
  }

  @Test(arguments: models)
  func `a setting is explained, and its steps go up`(_ model: VirtualModel) async throws {
    let conversation = try await Conversation(model)
    for declaration in conversation.able.settings {
      let explanation = declaration.explanation
      #expect(explanation != nil, "\(declaration.id): \(declaration.title)")
      #expect(explanation?.count ?? 0 <= 34, "\(declaration.id)")
      guard case .choice(let choices) = declaration.kind else { continue }
      let steps = choices.compactMap { Self.steps.firstIndex(of: $0.title.lowercased()) }
      #expect(steps == steps.sorted(), "\(declaration.id): \(choices.map(\.title))")
    }
    await conversation.close()
  }

  /// Titles of choices in their natural order.
  private static let steps = [
    "off", "automatic", "adaptive", "lowest", "low", "medium", "middle", "high", "highest",
    "maximum",
  ]

  /// Whether a setting was reported with the wanted values, one after the other.
  ///
  /// What does not change need not be reported again; another setting may change this one.
  private func contains(_ reported: [SettingValue]?, _ wanted: [SettingValue]) -> Bool {
    guard let reported else { return false }
    var rest = changes(in: reported)[...]
    return changes(in: reported.prefix(1) + wanted).allSatisfy { value in
      rest = rest.drop { $0 != value }
      return !rest.isEmpty
    }
  }

  private func changes(in values: some Sequence<SettingValue>) -> [SettingValue] {
    values.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }
}

extension VirtualFamily {
  /// Whether its controls are on LE.
  fileprivate var isOnLE: Bool {
    switch self {
    case .serial, .airPods: false
    default: true
    }
  }
}

extension SettingDeclaration {
  /// The values to try: all of a switch and a choice, the ends of a range.
  fileprivate var values: [SettingValue] {
    switch kind {
    case .toggle: [.toggle(true), .toggle(false)]
    case .choice(let choices): choices.map { .choice($0.id) }
    case .level(let range): [.level(range.bounds.lowerBound), .level(range.bounds.upperBound)]
    case .bands(let bands, let range):
      [range.bounds.lowerBound, range.bounds.upperBound].map { gain in
        .bands(bands.map { _ in gain })
      }
    case .text: [.text("Other"), .text("One")]
    case .action, .reading, .pairedDevices: []
    }
  }
}
