import AudioRoute
import BluetoothCodec
import BluetoothRadio
import Companion
import Configuration
import Foundation
import HeadphoneProtocols
import TerminalUI
import Testing

@testable import VirtualHeadphones

/// The values of every virtual headphone on the screen: a known setting must have a row with its
/// value.
@Suite struct `Every headphone on the screen` {
  private static let sizes = [Size(columns: 80, rows: 24), Size(columns: 120, rows: 40)]
  private static let models = VirtualModel.environment + VirtualModel.controlled

  @Test func `is one of each family`() async throws {
    var drivers: Set<String> = []
    for model in Self.models {
      let headphone = try await StartedHeadphone(model)
      drivers.insert(headphone.description.driver)
      await headphone.close()
    }
    for family in HeadphoneFamily.allCases {
      let names = [family.gattProtocol?.name, family.serialProtocol?.name].compactMap(\.self)
      #expect(names.allSatisfy(drivers.contains), "\(family.rawValue): \(drivers.sorted())")
    }
  }

  @Test(arguments: models)
  func `has a row for each setting, with the value that is known`(model: VirtualModel) async throws
  {
    let state = try await State(screenOf: model)
    let headphone = try #require(state.headphones.selected)
    let able = try #require(headphone.capabilities)
    // Gains are on the equaliser's page, touch actions on one of their own.
    let ofPages = [SettingID.equaliserBands] + able.gestures.map(\.id)
    let rows = able.controlRows
    #expect(
      Set(rows.map(\.declaration.id)) == Set(able.declarations.map(\.id)).subtracting(ofPages))
    for size in Self.sizes {
      for row in rows {
        var state = state
        state.focus = .control
        state.controlRow = row.row
        let screen = view(state, size: size)
        let found = screen.value(besides: row.declaration.title)
        let value = try #require(found, "\(row.declaration.id): \(screen.lines)")
        guard let known = headphone.setting(row.declaration.id).confirmed else { continue }
        #expect(!value.text.contains("--"), "\(row.declaration.id): \(value.text)")
        #expect(!value.text.contains("not reported"), "\(row.declaration.id): \(value.text)")
        // What has no meaning in this mode says so.
        guard headphone.restriction(of: row.declaration) == nil else { continue }
        switch known {
        case .choice: #expect(value.hasSelection, "\(row.declaration.id): \(value.text)")
        case .toggle(let isOn): #expect(value.text.contains(isOn ? "● on" : "○ off"))
        case .level(let level): #expect(value.text.contains("\(level)"))
        case .text, .bands, .pairedDevices, .done: break
        }
      }
    }
  }

  @Test(arguments: models)
  func `has its equaliser on page E`(model: VirtualModel) async throws {
    var state = try await State(screenOf: model)
    let headphone = try #require(state.headphones.selected)
    let able = try #require(headphone.capabilities)
    let hasPresets = able.declaration(of: .equaliserPreset) != nil
    _ = state.reduce(.pressed(.equaliser), at: .example)
    guard hasPresets || able.declaration(of: .equaliserBands) != nil else {
      #expect(state.page == .main && state.notice?.text == "this headphone has no equaliser")
      return
    }
    #expect(state.page.kind == .equaliser)
    for size in Self.sizes {
      let screen = view(state, size: size)
      if hasPresets {
        let isKnown = headphone.setting(.equaliserPreset).confirmed != nil
        if screen.lines.contains(where: { $0.contains("Headphone's own") }) {
          let hasMark = screen.lines.contains { $0.dropFirst(3).hasPrefix("● ") }
          #expect(hasMark == isKnown, "\(screen.lines)")
        } else {
          let row = try #require(screen.value(besides: "Preset"), "\(screen.lines)")
          #expect(row.hasSelection == isKnown, "\(row.text)")
        }
      }
      if headphone.bands.confirmed != nil {
        #expect(!screen.lines.contains { $0.contains("--") }, "\(screen.lines)")
      }
    }
  }

  @Test(arguments: models)
  func `has what touches do on page B`(model: VirtualModel) async throws {
    var state = try await State(screenOf: model)
    let headphone = try #require(state.headphones.selected)
    let gestures = try #require(headphone.capabilities).gestures
    _ = state.reduce(.pressed(.touchActions), at: .example)
    guard !gestures.isEmpty else {
      #expect(state.page == .main && state.notice?.text == "this headphone has no touch actions")
      return
    }
    let touch = state.touchLines
    #expect(touch.gestures.count == gestures.count && Set(touch.gestures) == Set(gestures))
    for (line, gesture) in touch.gestures.enumerated() {
      state.page = .touch(line: line)
      let words = headphone.words(of: gesture.id) ?? "--"
      let screen = view(state, size: Self.sizes[0])
      let cursor = try #require(screen.cursor)
      let row = (cursor.column + 1..<screen.size.columns).map { screen[$0, cursor.row].text }
        .joined()
      // Of two columns, the title is before the cursor.
      #expect(row.hasPrefix(words) || row.hasPrefix("\(gesture.title) "), "\(row)")
      #expect(row.contains(words), "\(row)")
      guard case .toggle(let isOn)? = headphone.setting(gesture.id).confirmed else { continue }
      var changed = state
      let effects = changed.reduce(.pressed(.right), at: .example)
      #expect(
        effects.contains {
          if case .perform(_, .set(gesture.id, .toggle(!isOn)), _) = $0 { true } else { false }
        })
    }
  }

  /// Values that are shown together must be of the same link.
  @Test(arguments: models)
  func `does not contradict itself`(model: VirtualModel) async throws {
    let state = try await State(screenOf: model)
    let headphone = try #require(state.headphones.selected)
    if case .connected(let sink, _) = state.route(of: headphone),
      let codec = headphone.setting("codec").confirmed
    {
      #expect(codec.text.lowercased() == sink.bluetooth?.codec)
    }
    let lines = state.infoLines
    let isClassic = headphone.address.kind == .classic
    for label in ["MTU", "Link timing", "PHY"] {
      #expect(lines.contains { $0.label == label } != isClassic, "\(label)")
    }
    #expect((headphone.quality.timing == nil) == isClassic)
    #expect((headphone.quality.phyText == nil) == isClassic)
    let plays = model.audioAddress != nil
    #expect(!plays || lines.first { $0.label == "Paired" }?.value != "no")
  }

  // MARK: Golden screens

  /// Headphones that people own, and Earshot's own.
  private static let owned: [(name: String, model: VirtualModel)] = [
    ("aurora", .aurora), ("sony", .sonyOverEar), ("galaxy", .galaxyBuds), ("airpods", .airPodsHere),
  ]

  /// The golden files in `Screens`; `UPDATE_SCREENS=1` rewrites them.
  @Test(arguments: owned.map(\.name), [UserCommand.help, .equaliser, .touchActions])
  func `looks as it should`(name: String, page: UserCommand) async throws {
    let model = try #require(Self.owned.first { $0.name == name }?.model)
    var state = try await State(screenOf: model)
    let isMain = page == .help
    if !isMain { _ = state.reduce(.pressed(page), at: .example) }
    guard isMain || state.page != .main else { return }
    let screen = view(state, size: Self.sizes[isMain ? 1 : 0])
    let actual = screen.lines.map { "|\($0)|\n" }.joined()
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Screens/\(name)-\(isMain ? "main" : page.name).txt").standardized
    if ProcessInfo.processInfo.environment["UPDATE_SCREENS"] != nil {
      return try Data(actual.utf8).write(to: file)
    }
    if try String(contentsOf: file, encoding: .utf8) != actual {
      Issue.record(
        "\(file.lastPathComponent) looks different; if it should, UPDATE_SCREENS=1\n\(actual)")
    }
  }
}

extension Timestamp {
  /// 2026-03-14 14:03:22 UTC.
  fileprivate static let example = Timestamp(milliseconds: 1_773_497_002_000)
}

extension State {
  /// Creates the screen of a connected headphone with the sound on it, from its driver's reports.
  init(screenOf model: VirtualModel) async throws {
    let headphone = try await StartedHeadphone(model)
    await headphone.close()
    let id = HeadphoneID(model.address.address)
    let address = model.audioControls.map { PeerAddress($0, .classic) } ?? model.address
    self.init()
    adapter = .ready(
      Adapter(
        name: "virtual", address: BluetoothAddress(value: 0), isPowered: true, isVirtual: true))
    var name = model.name
    // They advertise their model in place of a name.
    if case .airPods(let airPods, _)? = model.family {
      name = ModelCatalog.bundled.appleName(airPods.product)
    }
    var server = VirtualSoundServer()
    if let audio = model.audioAddress { server.connect(name: name, address: audio.description) }
    var actions: [Action] = [
      .discovered(
        DiscoveredHeadphone(
          id: id, name: name, address: address,
          publicAddress: model.audioAddress?.description, rssi: model.rssi)),
      .audio(.running(server.snapshot)), .pressed(.connectOrDisconnect), .link(id, .connected),
    ]
    for await event in headphone.events { actions.append(.headphone(id, event)) }
    actions += [
      .link(id, .ready(headphone.description, isEncrypted: address.kind == .classic)),
      .measured(id, headphone.quality),
    ]
    for action in actions { _ = reduce(action, at: .example) }
  }
}

extension Screen {
  fileprivate var lines: [String] { (0..<size.rows).map { text(row: $0) } }

  /// Returns the value in the cursor's row, or in the only row with the label, up to the frame.
  fileprivate func value(besides label: String) -> (text: String, hasSelection: Bool)? {
    let label = label.prefix(20)
    for row in 0..<size.rows {
      let cells = (0..<size.columns).map { self[$0, row].text }
      for start in cells.indices.dropLast(label.count) {
        let end = start + label.count
        guard cells[start..<end].joined() == label, start > 0,
          cells[start - 1] == "▸" || label == "Preset"
        else { continue }
        let frame = cells[end...].firstIndex(of: "│") ?? size.columns
        let roles = (end..<frame).map { self[$0, row].role }
        return (cells[end..<frame].joined(), roles.contains(.segmentSelected))
      }
    }
    return nil
  }
}
