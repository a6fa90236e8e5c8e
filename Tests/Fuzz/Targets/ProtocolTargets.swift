import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import FirmwareCrypto
import VirtualHeadphones

@testable import HeadphoneProtocols

/// Runs a conversation in a family's protocol: requests, commands, and the headphone's bytes.
///
/// A serial channel may divide the bytes anywhere.
///
/// - Parameter frame: frames a content, so that the input reaches the parser behind the checksum.
private func converse<Protocol: HeadphoneProtocol>(
  in proto: Protocol, _ input: inout FuzzInput,
  frame: (Bytes, inout FuzzInput) -> [UInt8] = { b, _ in Array(b) }
) throws(BrokenPromise) {
  var proto = proto
  while !input.isEmpty {
    switch input.byte() % 8 {
    case 0:
      for exchange in proto.questions() + proto.furtherQuestions() {
        for value in exchange.values { _ = proto.framed(value) }
      }
    case 1:
      let command = command(&input, proto.capabilities)
      let exchanges = try? proto.exchanges(for: command)
      for value in (exchanges ?? []).flatMap(\.values) { _ = proto.framed(value) }
      _ = try? proto.accepted(command)
    case 2: receive(input.chunk())
    default: receive(frame(input.chunk(), &input)[...])
    }
    try check(proto.capabilities)
    _ = (proto.information, proto.awaited, proto.isRecognised)
  }

  func receive(_ value: Bytes) {
    for message in proto.messages(in: value) { _ = proto.receive(message) }
  }
}

/// Checks what the screen and the commands rely on.
private func check(_ able: Capabilities) throws(BrokenPromise) {
  try promise(
    Set(able.settings.map(\.id)).count == able.settings.count, "each setting is declared once")
  try promise(Set(able.batteries).count == able.batteries.count, "each battery is named once")
}

/// Returns a command, possibly one that the headphone does not have.
private func command(_ input: inout FuzzInput, _ able: Capabilities) -> HeadphoneCommand {
  switch input.byte() % 12 {
  case 0: return .setANC(input.choice(ANCMode.allCases))
  case 1: return .setANCLevel(input.byte())
  case 2: return .setEQ(input.choice(EQPreset.allCases))
  case 3:
    return .setCustomEQ(input.chunk().compactMap { BandGain(halfDecibels: Int8(bitPattern: $0)) })
  case 4: return .find(Sides(rawValue: input.byte()), isOn: input.byte() > 0x7F)
  case 5: return .readTouchActions
  case 6: return .rename(input.text())
  case 7: return .restart
  case 8: return .factoryReset
  case 9:
    return .pairedDevice(
      input.choice(PairedDeviceAction.allCases), BluetoothAddress(value: UInt64(input.word())))
  default:
    guard !able.settings.isEmpty else { return .readTouchActions }
    let setting = input.choice(able.settings)
    let value: SettingValue =
      switch setting.kind {
      case .toggle: .toggle(input.byte() > 0x7F)
      case .choice(let choices): .choice(choices.isEmpty ? "" : input.choice(choices).id)
      case .level: .level(Int(Int8(bitPattern: input.byte())))
      case .bands: .bands(input.chunk().map { Int(Int8(bitPattern: $0)) })
      case .text: .text(input.text())
      case .action: .done
      case .reading: .text(input.text())
      case .pairedDevices: .pairedDevices([])
      }
    return .set(setting.id, value)
  }
}

/// Feeds events, packets and commands of docs/protocol.md on one channel.
func fuzzEarshot(_ input: inout FuzzInput) throws(BrokenPromise) {
  var channel = EventChannel()
  var engine = CommandEngine(window: Int(input.byte()))
  var waiting: Set<CommandEngine.Ticket> = []
  var time = Duration.zero

  func check(_ effects: [CommandEngine.Effect]) throws(BrokenPromise) {
    for case .finished(let ticket, _) in effects {
      try promise(waiting.remove(ticket) != nil, "each command ends exactly once")
    }
  }

  while !input.isEmpty {
    switch input.byte() % 6 {
    case 0:
      let (ticket, effects) = engine.submit(
        CommandID(rawValue: input.byte()), payload: input.chunk(), at: time)
      waiting.insert(ticket)
      try check(effects)
    case 1:
      time += .milliseconds(Int(input.word()))
      try check(engine.elapse(to: time))
    case 2: try check(engine.startOver(at: time))
    case 3:
      let packet = HeadphonePacket(
        command: CommandID(rawValue: input.byte()), sequence: input.byte(),
        flags: .init(rawValue: input.byte()), payload: input.chunk())
      try receive(Bytes(packet.encoded()))
    default: try receive(input.chunk())
    }
    try promise(engine.outstanding.count <= 16, "the window is at most 16 commands")
  }
  _ = channel.finish()
  try check(engine.fail(.noResponse))

  func receive(_ value: Bytes) throws(BrokenPromise) {
    _ = try? CapabilityReport(decoding: value)
    _ = StateReport(decoding: value)
    _ = try? FirmwareStart(decoding: value)
    _ = try? FirmwareStatus(decoding: value)
    for case .packet(let packet) in channel.receive(value) {
      try check(engine.receive(packet, at: time))
    }
  }
}

func fuzzNothing(_ input: inout FuzzInput) throws(BrokenPromise) {
  try converse(in: NothingProtocol(on: .bit16(0x1101)), &input) { content, input in
    NothingFrame(
      input.word(), operation: input.byte(), payload: content, control: input.byte() & 0x20 | 0x40,
      checksum: input.choice([.none, .whole, .payload])
    ).encoded()
  }
}

func fuzzSoundcore(_ input: inout FuzzInput) throws(BrokenPromise) {
  guard let channel = channel(of: SoundcoreProtocol.service) else { return }
  try converse(in: SoundcoreProtocol(on: channel, ModelCatalog()), &input) { content, input in
    SoundcoreFrame(.headphone, input.word(), content).encoded()
  }
}

func fuzzJBL(_ input: inout FuzzInput) throws(BrokenPromise) {
  guard let channel = channel(of: JBLProtocol.service) else { return }
  try converse(in: JBLProtocol(on: channel, ModelCatalog()), &input) { content, input in
    JBLFrame(input.byte(), Array(content)).encoded()
  }
}

func fuzzQCY(_ input: inout FuzzInput) throws(BrokenPromise) {
  guard let channel = channel(of: QCYProtocol.service) else { return }
  try converse(in: QCYProtocol(on: channel, ModelCatalog()), &input) { content, input in
    QCYFrame(input.byte(), Array(content)).encoded()
  }
}

private func channel(of service: BluetoothUUID) -> FamilyChannel? {
  FamilyChannel(
    of: Service(uuid: service, range: .all), write: characteristic(3, .write),
    notify: characteristic(5, .notify))
}

private func characteristic(_ handle: UInt16, _ properties: CharacteristicProperties)
  -> Characteristic
{
  Characteristic(
    uuid: .bit16(0xFFF1), properties: properties, declaration: handle - 1, handle: handle,
    end: handle)
}

func fuzzSoundcoreSerial(_ input: inout FuzzInput) throws(BrokenPromise) {
  try converse(in: SoundcoreProtocol(on: SerialService.serialPort), &input) {
    content, input in
    SoundcoreFrame(.headphone, input.word(), content).encoded()
  }
}

func fuzzSony(_ input: inout FuzzInput) throws(BrokenPromise) {
  let service = input.choice(SonyProtocol.services).uuid
  try converse(in: SonyProtocol(on: service), &input) { content, input in
    SonyFrame.format.frame(around: [input.byte(), input.byte(), 0, 0, 0, 0] + content)
  }
}

func fuzzGalaxyBuds(_ input: inout FuzzInput) throws(BrokenPromise) {
  let service = input.choice(GalaxyBudsProtocol.services).uuid
  let layout = input.choice(GalaxyBudsFrame.Layout.allCases)
  try converse(in: GalaxyBudsProtocol(on: service), &input) { content, _ in
    GalaxyBudsFrame.format(layout).frame(around: [0, 0] + content)
  }
}

func fuzzBose(_ input: inout FuzzInput) throws(BrokenPromise) {
  try converse(in: BoseProtocol(on: SerialService.serialPort), &input) { content, input in
    BoseFrame.format.frame(around: [input.byte(), input.byte(), input.byte(), 0] + content)
  }
}

func fuzzHuawei(_ input: inout FuzzInput) throws(BrokenPromise) {
  try converse(in: HuaweiProtocol(on: SerialService.serialPort), &input) { content, input in
    HuaweiFrame.format.frame(around: [0, 0, 0, input.byte(), input.byte()] + content)
  }
}

func fuzzOppo(_ input: inout FuzzInput) throws(BrokenPromise) {
  try converse(in: OppoProtocol(on: SerialService.serialPort), &input) { content, _ in
    OppoFrame.format.frame(around: [0] + content)
  }
}

func fuzzPixelBuds(_ input: inout FuzzInput) throws(BrokenPromise) {
  let service = input.choice(PixelBudsProtocol.services).uuid
  try converse(in: PixelBudsProtocol(on: service), &input) { content, _ in
    PixelBudsFrame(address: 0, data: Array(content)).encoded()
  }
}

func fuzzSennheiser(_ input: inout FuzzInput) throws(BrokenPromise) {
  let service = SennheiserProtocol.service
  try converse(in: SennheiserProtocol(on: service), &input) { content, input in
    GAIAFrame(vendor: SennheiserProtocol.vendor, input.word(), Array(content)).encoded()
  }
}

func fuzzVivo(_ input: inout FuzzInput) throws(BrokenPromise) {
  try converse(in: VivoProtocol(on: SerialService.serialPort), &input) { content, input in
    GAIAFrame(vendor: input.choice([0x001B, 0x000A]), input.word(), Array(content)).encoded()
  }
}

func fuzzEdifier(_ input: inout FuzzInput) throws(BrokenPromise) {
  try converse(in: EdifierProtocol(on: SerialService.serialPort), &input) { content, input in
    EdifierFrame(input.choice(EdifierFrame.Sender.allCases), input.byte(), Array(content))
      .encoded()
  }
}

func fuzzRedmi(_ input: inout FuzzInput) throws(BrokenPromise) {
  try converse(in: RedmiProtocol(on: RedmiProtocol.service), &input) { content, input in
    RedmiFrame(
      input.choice(RedmiFrame.Kind.allCases), input.byte(), sequence: input.byte(), Array(content)
    ).encoded()
  }
}

func fuzzOneMore(_ input: inout FuzzInput) throws(BrokenPromise) {
  try converse(in: OneMoreProtocol(on: OneMoreProtocol.service), &input) { content, input in
    OneMoreFrame(
      .headphone, input.choice([0x4E, 0x5F, 0x6C, 0x77, 0x6A]), sequence: 1, Array(content)
    ).encoded()
  }
}

func fuzzTechnics(_ input: inout FuzzInput) throws(BrokenPromise) {
  try converse(in: TechnicsProtocol(on: TechnicsProtocol.service), &input) { content, input in
    TechnicsFrame(
      input.choice(TechnicsFrame.Kind.allCases), input.choice([0x0CD6, 0x0040, 0x000A]),
      Array(content)
    ).encoded()
  }
}

/// Runs a conversation in any protocol, with contents in its own framing.
func fuzz<Language: SerialProtocol>(
  _: Language.Type, _ input: inout FuzzInput
) throws(BrokenPromise) {
  let service = input.choice(Language.services).uuid
  try converse(in: Language(on: service), &input) { content, _ in
    Language.Frame.formats.last?.frame(around: Array(content)) ?? Array(content)
  }
}

func fuzzAirPods(_ input: inout FuzzInput) throws(BrokenPromise) {
  try converse(in: AACPProtocol(), &input) { content, _ in [0x04, 0x00, 0x04, 0x00] + content }
}

func fuzzFastPair(_ input: inout FuzzInput) throws(BrokenPromise) {
  try converse(in: FastPairProtocol(), &input) { content, input in
    [input.byte() % 5, input.byte(), 0, UInt8(content.count)] + content
  }
}

/// Reads a byte stream in pieces with each kind of frame.
///
/// What is read must be in the stream, and be the same however it is divided, if a length cannot
/// lie.
func fuzzSerial(_ input: inout FuzzInput) throws(BrokenPromise) {
  let formats = [
    SonyFrame.format, HuaweiFrame.format, OppoFrame.format, BoseFrame.format,
    GalaxyBudsFrame.format(.first), GalaxyBudsFrame.format(.later), RedmiFrame.format,
  ]
  let format = input.choice(formats)
  var pieces = FrameReader(format)
  var stream: [UInt8] = []
  var frames: [Bytes] = []
  while !input.isEmpty {
    let piece =
      input.byte().isMultiple(of: 2)
      ? input.chunk() : format.frame(around: Array(input.chunk()))[...]
    stream += piece
    frames += pieces.messages(in: piece).filter { (try? format.content(of: $0, "frame")) != nil }
  }
  var rest = stream[...]
  for frame in frames {
    guard let place = rest.firstRange(of: frame) else {
      throw BrokenPromise(promise: "what is read stands in the stream, in its order")
    }
    rest = rest[place.upperBound...]
  }
  // Elsewhere the end of a piece may show that a length lies.
  guard format == SonyFrame.format || format == BoseFrame.format else { return }
  var whole = FrameReader(format)
  let expected = whole.messages(in: stream[...]).filter {
    (try? format.content(of: $0, "frame")) != nil
  }
  try promise(frames == expected, "the cuts of a stream change none of its frames")
}

/// Feeds a firmware file, and a headphone's responses during an update.
func fuzzFirmware(_ input: inout FuzzInput) throws(BrokenPromise) {
  let file = input.rest()
  _ = try? FirmwareManifest(decoding: file)
  _ = try? FirmwareStart(decoding: file)
  _ = try? FirmwareStatus(decoding: file)
  _ = try? FirmwareFrame(decoding: file)
  guard let image = try? FirmwareImage(decoding: file) else { return }
  try promise(image.encoded() == Array(file), "an image that is read is the file")
  try promise(image.manifest.blockCount > 0, "an image has a block")
  for index in 0..<image.manifest.blockCount { _ = image.checksum(ofBlock: index) }
  _ = image.isSigned(byAnyOf: [])
}

/// Feeds presets in any order of messages, and values of a hearing aid's other services.
func fuzzHearingAid(_ input: inout FuzzInput) throws(BrokenPromise) {
  var list = PresetList()
  while !input.isEmpty {
    let before = list
    switch input.byte() % 8 {
    case 0: list.beginReading()
    case 1: list.endReading(isEmpty: input.byte().isMultiple(of: 2))
    case 2: list.active = input.byte()
    case 3: try fuzzSoundPath(input.chunk())
    case 4:
      let bytes = input.chunk()
      if let request = try? PresetRequest(decoding: bytes) {
        try promise(
          (try? PresetRequest(decoding: request.encoded()[...])) != nil, "a request is read again")
      }
    default:
      let bytes = input.chunk()
      do {
        let isComplete = try list.receive(bytes)
        try promise(isComplete || list.presets == before.presets, "a list changes as a whole")
      } catch is MalformedBytes {
        try promise(list == before, "what cannot be read changes nothing")
      } catch let broken as BrokenPromise {
        throw broken
      } catch {
        throw BrokenPromise(promise: "only malformed bytes are refused")
      }
    }
    let indexes = list.presets.map(\.index)
    try promise(
      indexes == Set(indexes).sorted() && !indexes.contains(0), "each index is there once")
    let choices = list.choices
    try promise(Set(choices.map(\.id)).count == choices.count, "each choice has its own identifier")
    for choice in choices {
      try promise(displayable(choice.id) == choice.id, "an identifier is safe to show")
      try promise(
        displayable(choice.preset.title) == choice.preset.title, "a title is safe to show")
    }
  }
}

private func fuzzSoundPath(_ bytes: Bytes) throws(BrokenPromise) {
  if let state = try? OutputState(decoding: bytes) {
    try promise(state.encoded() == Array(bytes), "an offset is written as it was read")
  }
  if let state = try? InputState(decoding: bytes) {
    try promise(state.encoded() == Array(bytes), "an input is written as it was read")
  }
  if let gain = try? InputGain(decoding: bytes) {
    try promise(gain.encoded() == Array(bytes), "a gain is written as it was read")
  }
  if let mute = try? MicrophoneMute(decoding: bytes) {
    try promise(mute.encoded() == Array(bytes), "mute is written as it was read")
  }
  _ = try? HearingAidFeatures(decoding: bytes)
  _ = try? ASHAProperties(decoding: bytes)
}

/// Feeds broadcast advertisements, operations, and receive states during a request.
func fuzzBroadcast(_ input: inout FuzzInput) throws(BrokenPromise) {
  try fuzzBroadcastBytes(input.chunk())
  let address = PeerAddress(BluetoothAddress(value: 1), .random)
  var broadcast = Broadcast(BroadcastID(rawValue: UInt32(input.byte() % 2)), at: address)
  if input.byte().isMultiple(of: 2) { broadcast.set = input.byte() % 16 }
  let code = BroadcastCode(input.text())
  var request = BroadcastRequest(input.byte() % 4 == 0 ? .leave : .join(broadcast, code))
  var states = ReceiveStates(count: Int(input.byte() % 4))
  var now: Duration = .zero
  var hasEnded = false
  while !input.isEmpty {
    let before = states
    do throws(MalformedBytes) {
      try states.receive(input.chunk(), at: Int(input.byte() % 4))
    } catch {
      try promise(states == before, "a value that cannot be read changes nothing")
    }
    now += .milliseconds(Int(input.word()))
    switch request.next(states, at: now) {
    case .wait(let end): try promise(end > now, "a wait has an end in the future")
    case .write(let operation):
      try promise(
        (try? BroadcastScanOperation(decoding: operation.encoded()[...])) == operation,
        "what is written can be read")
    case .end: hasEnded = true
    case .read: break
    }
    if hasEnded { break }
  }
  // However a headphone behaves, a request ends when it says nothing any more.
  var steps = 0
  while !hasEnded {
    switch request.next(states, at: now) {
    case .end: hasEnded = true
    case .wait(let end): now = end
    case .write, .read: break
    }
    steps += 1
    try promise(steps < 200, "a request ends")
  }
}

private func fuzzBroadcastBytes(_ bytes: Bytes) throws(BrokenPromise) {
  if let state = try? ReceiveState.decode(bytes) {
    try promise(state.encoded() == Array(bytes), "a receive state is written as it was read")
  }
  if let operation = try? BroadcastScanOperation(decoding: bytes) {
    try promise(operation.encoded() == Array(bytes), "an operation is written as it was read")
  }
  if let announcement = try? PublicBroadcastAnnouncement(decoding: bytes) {
    let again = try? PublicBroadcastAnnouncement(decoding: announcement.encoded()[...])
    try promise(again == announcement, "an announcement is read again")
  }
  guard let data = try? AdvertisingData(decoding: bytes) else { return }
  let address = PeerAddress(BluetoothAddress(value: 1), .random)
  guard let broadcast = Broadcast(data, at: address) else { return }
  for text in [broadcast.title, broadcast.programme ?? "", broadcast.language ?? ""] {
    try promise(displayable(text) == text, "what is shown is safe to show")
  }
}
