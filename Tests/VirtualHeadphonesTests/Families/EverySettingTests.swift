import BluetoothCodec
import Foundation
import HeadphoneDrivers
import Testing

@testable import HeadphoneProtocols
@testable import VirtualHeadphones

/// Every setting that a virtual headphone declares can be set and is read back.
@Suite struct EverySettingTests {
  /// The values of settings, in the order in which they were reported or set.
  private typealias Values = [SettingID: [SettingValue]]

  private static let models = VirtualModel.controlled
  /// The settings that are read back after a pause, which no clock passes here.
  private static let delayed: Set<SettingID> = ["low-latency"]

  @Test(arguments: models)
  func `each value of each setting is set and read back`(_ model: VirtualModel) async throws {
    let conversation = try await StartedHeadphone(model)
    var wanted: Values = [:]
    for declaration in conversation.capabilities.settings
    where model.name != VirtualModel.huawei.name || !Self.delayed.contains(declaration.id) {
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

  @Test func `each virtual headphone has addresses of its own`() {
    let addresses =
      Self.models.map(\.address)
      + Self.models.compactMap { model in
        model.audioAddress.flatMap {
          $0 == model.address.address ? nil : PeerAddress($0, .classic)
        }
      }
    let shared = Dictionary(grouping: addresses, by: \.self).filter { $1.count > 1 }
    #expect(shared.isEmpty)
  }

  /// Settings with a key, command or page are not hidden among a maker's own.
  @Test(arguments: models)
  func `finding, renaming, automatic power off and fit tests are those of all makers`(
    _ model: VirtualModel
  ) async throws {
    let conversation = try await StartedHeadphone(model)
    let able = conversation.capabilities
    let own: [String: Set<SettingID>] = [
      "power": [.autoPowerOff], "fit": ["fit-test", "fit-left", "fit-right"],
      "name": ["preset-name"], "rename": [], "find": [], "ring": [], "ringing": [],
    ]
    for declaration in able.settings {
      for word in declaration.id.rawValue.split(separator: "-") {
        #expect(own[String(word)]?.contains(declaration.id) != false, "\(declaration.id)")
      }
      guard case .choice(let times) = declaration.kind, declaration.id == .autoPowerOff else {
        continue
      }
      for time in times {
        let form = /never|[0-9]+-(minutes|hours)|1-hour|when-taken-off/
        #expect(time.id.wholeMatch(of: form) != nil, "\(time.id)")
      }
    }
    if !able.hasRename {
      await #expect(throws: HeadphoneError.self) {
        try await conversation.driver.perform(.rename("Kitchen"))
      }
    }
    await conversation.close()
  }

  /// For every maker, the user is told whether the headphone lacks a setting or a value.
  @Test(arguments: models)
  func `a value that a setting cannot have is no missing setting`(
    _ model: VirtualModel
  ) async throws {
    let conversation = try await StartedHeadphone(model)
    for declaration in conversation.capabilities.settings where declaration.kind != .reading {
      let value = declaration.impossibleValue
      #expect(!declaration.accepts(value))
      do {
        try await conversation.driver.perform(.set(declaration.id, value))
        Issue.record("\(model.name): \(declaration.id) to \(value)")
      } catch {
        guard case .badArgument = error else {
          Issue.record("\(model.name): \(declaration.id) to \(value): \(error)")
          continue
        }
      }
    }
    await conversation.close()
  }

  /// The identifiers are read from the sources, where they are literals, so that a new one fails
  /// until a headphone has it.
  @Test func `every setting that a maker's protocol declares is one of a virtual headphone`()
    async throws
  {
    var settings: Set<String> = []
    for model in Self.models {
      let conversation = try await StartedHeadphone(model)
      settings.formUnion(conversation.capabilities.settings.map(\.id.rawValue))
      await conversation.close()
    }
    let protocols = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/HeadphoneProtocols").standardized
    let files = FileManager.default.enumerator(at: protocols, includingPropertiesForKeys: nil)
    // Those of Fast Pair and of hearing aids have tests of their own (FastPairDriverTests, HearingAidTests).
    let own = ["Earshot", "Settings", "FastPair", "HearingAid"].map {
      protocols.appending(path: $0).path + "/"
    }
    // A choice may be called like a standard setting; three are of models that no virtual headphone is
    // (SoundcoreSettingTests, NothingProtocolTests).
    let others = [
      SettingID.volume.rawValue, "wearing-tone", "personalised-cancelling", "fit-test",
    ]
    let known = KnownSetting.all.map(\.id.rawValue).filter { !others.contains($0) }
    var declared: Set<String> = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift", !own.contains(where: file.path.hasPrefix) else {
        continue
      }
      let source = try String(contentsOf: file, encoding: .utf8)
      declared.formUnion(known.filter { source.contains("\"\($0)\"") })
    }
    #expect(declared.count >= 60, "\(declared.sorted())")
    let missing = declared.filter { id in
      // Of a tap each bud has its own.
      !settings.contains { $0 == id || $0 == "\(id)-left" }
    }
    #expect(missing.isEmpty, "\(missing.sorted())")
  }

  @Test(arguments: models)
  func `a setting is explained, and its steps go up`(_ model: VirtualModel) async throws {
    let conversation = try await StartedHeadphone(model)
    for declaration in conversation.capabilities.settings {
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

  /// Returns whether a setting was reported with the wanted values in order.
  ///
  /// An unchanged value need not be reported again, and another setting may change this one.
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

extension SettingDeclaration {
  /// A value that the setting cannot have.
  fileprivate var impossibleValue: SettingValue {
    switch kind {
    case .level(let range): .level(range.bounds.upperBound + 1)
    case .toggle: .choice("on")
    case .choice, .bands, .text, .action, .reading, .pairedDevices: .toggle(true)
    }
  }

  /// The values to try: all of a switch or choice, and the limits of a range.
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
