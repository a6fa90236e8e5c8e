import BluetoothCodec
import HeadphoneProtocols
import Testing
import VirtualHeadphones

@Suite struct PresetTests {
  @Test(
    arguments: [
      (
        [0x34],
        HearingAidFeatures(
          .binaural, synchronisesPresets: true, hasDynamicPresets: true, hasWritableNames: true)
      ),
      ([0x21], HearingAidFeatures(.monaural, hasWritableNames: true)),
      ([0x12], HearingAidFeatures(.banded, hasDynamicPresets: true)),
      (
        [0x38],
        HearingAidFeatures(
          .binaural, hasIndependentPresets: true, hasDynamicPresets: true, hasWritableNames: true)
      ),
      ([0x00], HearingAidFeatures(.binaural)),
    ] as [([UInt8], HearingAidFeatures)])
  func `features`(_ bytes: [UInt8], _ features: HearingAidFeatures) throws {
    #expect(try HearingAidFeatures(decoding: bytes[...]) == features)
    #expect(features.encoded() == bytes)
  }

  @Test(arguments: [[], [0x03], [0x34, 0x00]] as [[UInt8]])
  func `features that cannot be`(_ bytes: [UInt8]) {
    #expect(throws: MalformedBytes.self) { try HearingAidFeatures(decoding: bytes[...]) }
  }

  @Test(
    arguments: [
      ([0x01, 0x01, 0xFF], .readAll), ([0x01, 0x02, 0x01], .read(from: 2, count: 1)),
      ([0x04, 0x08, 0x42, 0x61, 0x72], .writeName(8, "Bar")),
      ([0x04, 0x01, 0x48, 0x6F, 0x6D, 0x65], .writeName(1, "Home")),
      ([0x05, 0x05], .activate(5)), ([0x06], .activateNext()), ([0x07], .activatePrevious()),
      ([0x08, 0x08], .activate(8, isSynchronised: true)),
      ([0x09], .activateNext(isSynchronised: true)),
      ([0x0A], .activatePrevious(isSynchronised: true)),
    ] as [([UInt8], PresetRequest)])
  func `requests`(_ bytes: [UInt8], _ request: PresetRequest) throws {
    #expect(try PresetRequest(decoding: bytes[...]) == request)
    #expect(request.encoded() == bytes)
  }

  @Test(
    arguments: [[], [0x02, 0x01], [0x0B], [0x01, 0x01], [0x05], [0x06, 0x01], [0x04, 0x01]]
      as [[UInt8]])
  func `requests that cannot be`(_ bytes: [UInt8]) {
    #expect(throws: MalformedBytes.self) { try PresetRequest(decoding: bytes[...]) }
  }

  private static let cafe = HearingPreset(8, "Café", isWritable: true)

  @Test(
    arguments: [
      (
        [0x02, 0x00, 0x01, 0x02, 0x55, 0x6E, 0x69, 0x76, 0x65, 0x72, 0x73, 0x61, 0x6C],
        .record(HearingPreset(1, "Universal"), isLast: false)
      ),
      (
        [0x02, 0x01, 0x08, 0x03, 0x43, 0x61, 0x66, 0xC3, 0xA9],
        .record(cafe, isLast: true)
      ),
      (
        [0x02, 0x01, 0x05, 0x03, 0x4F, 0x75, 0x74, 0x64, 0x6F, 0x6F, 0x72],
        .record(HearingPreset(5, "Outdoor", isWritable: true), isLast: true)
      ),
      (
        [0x03, 0x00, 0x01, 0x01, 0x08, 0x03, 0x43, 0x61, 0x66, 0xC3, 0xA9],
        .updated(cafe, before: 1, isLast: true)
      ),
      (
        [0x03, 0x00, 0x01, 0x08, 0x08, 0x03, 0x42, 0x61, 0x72],
        .updated(HearingPreset(8, "Bar", isWritable: true), before: 8, isLast: true)
      ),
      ([0x03, 0x01, 0x01, 0x05], .deleted(5, isLast: true)),
      ([0x03, 0x02, 0x00, 0x05], .availability(5, isAvailable: true, isLast: false)),
      ([0x03, 0x03, 0x01, 0x08], .availability(8, isAvailable: false, isLast: true)),
    ] as [([UInt8], PresetMessage)])
  func `messages`(_ bytes: [UInt8], _ message: PresetMessage) throws {
    #expect(try PresetMessage(decoding: bytes[...]) == message)
    #expect(message.encoded() == bytes)
  }

  @Test(
    arguments: [
      [], [0x01], [0x02], [0x02, 0x02, 0x01, 0x02, 0x55], [0x02, 0x01, 0x00, 0x02, 0x55],
      [0x02, 0x01, 0x01], [0x03, 0x04, 0x01, 0x05], [0x03, 0x01, 0x01],
      [0x03, 0x01, 0x01, 0x05, 0x00],
      [0x03, 0x00, 0x01, 0x00],
    ] as [[UInt8]])
  func `messages that cannot be`(_ bytes: [UInt8]) {
    #expect(throws: MalformedBytes.self) { try PresetMessage(decoding: bytes[...]) }
  }

  // MARK: The list

  /// Returns a list of 1 Universal, 5 Outdoor and 8 Café.
  private func read() throws -> PresetList {
    var list = PresetList()
    list.beginReading()
    for (preset, isLast) in [
      (HearingPreset(1, "Universal"), false), (HearingPreset(5, "Outdoor"), false),
      (Self.cafe, true),
    ] {
      let message = PresetMessage.record(preset, isLast: isLast).encoded()
      #expect(try list.receive(message[...]) == isLast)
    }
    return list
  }

  @Test func `a reading is there once it is complete`() throws {
    var list = try read()
    #expect(list.presets.map(\.index) == [1, 5, 8])
    list.beginReading()
    #expect(
      try !list.receive(PresetMessage.record(HearingPreset(2, "Two"), isLast: false).encoded()[...])
    )
    #expect(list.presets.map(\.index) == [1, 5, 8])
    list.endReading(isEmpty: false)
    #expect(list.presets.map(\.index) == [1, 5, 8])
    list.beginReading()
    list.endReading(isEmpty: true)
    #expect(list.presets.isEmpty)
  }

  @Test func `a record that nobody asked for changes nothing`() throws {
    var list = PresetList()
    #expect(try !list.receive(PresetMessage.record(Self.cafe, isLast: true).encoded()[...]))
    #expect(list == PresetList())
  }

  @Test func `an update removes what was between, and a batch counts as a whole`() throws {
    var list = try read()
    let updated = PresetMessage.updated(HearingPreset(8, "Bar"), before: 1, isLast: false)
    #expect(try !list.receive(updated.encoded()[...]))
    #expect(list.presets.map(\.index) == [1, 5, 8])
    let available = PresetMessage.availability(1, isAvailable: false, isLast: true)
    #expect(try list.receive(available.encoded()[...]))
    #expect(list.presets.map(\.index) == [1, 8])
    #expect(list.presets.map(\.isAvailable) == [false, true])
    #expect(try list.receive(PresetMessage.deleted(8, isLast: true).encoded()[...]))
    #expect(list.presets.map(\.index) == [1])
  }

  @Test func `a name that changes names itself as the one before`() throws {
    var list = try read()
    let updated = PresetMessage.updated(HearingPreset(8, "Bar"), before: 8, isLast: true)
    #expect(try list.receive(updated.encoded()[...]))
    #expect(list.presets.map(\.name) == ["Universal", "Outdoor", "Bar"])
  }

  @Test func `what changes while it is read is in the list that was read`() throws {
    var list = PresetList()
    list.beginReading()
    _ = try list.receive(
      PresetMessage.record(HearingPreset(1, "One"), isLast: false).encoded()[...])
    _ = try list.receive(PresetMessage.deleted(1, isLast: true).encoded()[...])
    #expect(
      try list.receive(PresetMessage.record(HearingPreset(2, "Two"), isLast: true).encoded()[...]))
    #expect(list.presets.map(\.index) == [2])
  }

  @Test func `records that come out of order, or twice, are listed by their index`() throws {
    var list = PresetList()
    list.beginReading()
    for (index, count) in [(8, 1), (1, 2), (8, 2), (5, 3)] as [(UInt8, Int)] {
      let record = PresetMessage.record(HearingPreset(index, "Preset"), isLast: false)
      #expect(try !list.receive(record.encoded()[...]))
      #expect(list.readCount == count)
    }
    let last = PresetMessage.record(HearingPreset(2, "Last"), isLast: true)
    #expect(try list.receive(last.encoded()[...]))
    #expect(list.presets.map(\.index) == [1, 2, 5, 8] && list.readCount == 0)
    // Changes of what is not there, and an update whose indexes are the wrong way round.
    for message in [
      PresetMessage.deleted(7, isLast: true), .availability(7, isAvailable: false, isLast: true),
      .updated(HearingPreset(2, "Two"), before: 9, isLast: true),
    ] {
      #expect(try list.receive(message.encoded()[...]))
    }
    #expect(list.presets.map(\.index) == [1, 2, 5, 8] && list.presets[1].name == "Two")
  }

  @Test func `each choice has its own identifier, whatever the names are`() throws {
    var list = PresetList()
    list.beginReading()
    let names = ["In the Car", "in the car!", "", "\u{1B}[2J", "none", "Café"]
    for (index, name) in names.enumerated() {
      let preset = HearingPreset(UInt8(index + 1), name, isAvailable: index != 5)
      let message = PresetMessage.record(preset, isLast: index == names.count - 1)
      _ = try list.receive(message.encoded()[...])
    }
    #expect(list.choices.map(\.id) == ["in-the-car", "in-the-car-2", "preset-3", "2j", "none-5"])
    #expect(list.choices.map(\.preset.title)[2...3] == ["Preset 3", "\u{FFFD}[2J"])
    #expect(list.value == nil)
    list.active = 6
    #expect(list.choices.last?.id == "café" && list.value == .choice("café"))
    list.active = 0
    #expect(list.value == .choice("none"))
    list.active = 99
    #expect(list.value == .choice("preset-99") && list.activePreset == nil)
  }
}
