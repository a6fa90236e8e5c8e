import BluetoothCodec
import Testing

@testable import HeadphoneProtocols

/// The tables of all makers that have one.
@Suite struct MakerRowTests {
  private static let tables: [[MakerRow]] = HeadphoneFamily.allCases.compactMap { family in
    let serial = family.serialProtocol as? any TabledProtocol.Type
    let gatt = family.gattProtocol as? any TabledProtocol.Type
    return (serial ?? gatt)?.rows
  }

  @Test func `several makers are tables`() { #expect(Self.tables.count >= 8) }

  @Test func `no row takes the answers of another, and no setting has two rows`() {
    for rows in Self.tables {
      for (index, row) in rows.enumerated() {
        let first = rows.firstIndex {
          $0.question == row.question && row.prefix.starts(with: $0.prefix)
        }
        #expect(first == index, "\(row)")
      }
      let ids = rows.flatMap(\.settings).map(\.declaration.id)
      #expect(Set(ids).count == ids.count)
    }
  }

  @Test func `every value that can be set is read back from the bytes of its command`() throws {
    for row in Self.tables.joined() where row.command != nil {
      for setting in row.settings {
        let id = setting.declaration.id
        for value in setting.declaration.values {
          let payload = try #require(row.payload(for: .set(id, value), keeping: []))
          #expect(payload.starts(with: row.prefix), "\(id)")
          let bytes = try #require(setting.bytes(of: value))
          var (reported, reader) = (ReportedValues(), ByteReader(bytes[...], of: "value"))
          try setting.apply(&reader, to: &reported)
          #expect(reported[id] == value && reader.isAtEnd, "\(id) \(value.text)")
        }
      }
    }
  }
}

extension MakerRow {
  fileprivate var settings: [NumberedSetting] {
    fields.compactMap { if case .setting(let setting) = $0 { setting } else { nil } }
  }
}

extension SettingDeclaration {
  /// All values of a switch, choice or level.
  fileprivate var values: [SettingValue] {
    switch kind {
    case .toggle: [.toggle(false), .toggle(true)]
    case .choice(let choices): choices.map { .choice($0.id) }
    case .level(let range): range.bounds.filter(range.contains).map { .level($0) }
    default: []
    }
  }
}
