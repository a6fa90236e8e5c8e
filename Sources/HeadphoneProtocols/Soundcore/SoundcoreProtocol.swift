public import Bluetooth
public import BluetoothCodec
public import GATT

/// The protocol of Soundcore's headphones over BLE: service xxxxF5DA, whose first 16 bits name the
/// model.
///
/// Battery, charging, firmware and serial number are asked of every model. Sound modes and
/// equaliser are there where the state has a layout that is known (``SoundcoreLayout``). Each command
/// is followed by the question for the state, which reports the current values.
///
/// ```swift
/// let channel = SoundcoreProtocol.channel(in: database)!
/// var soundcore = SoundcoreProtocol(on: channel, models)
/// soundcore.questions()  // state, battery, charging, firmware
/// for frame in soundcore.messages(in: value) { events += soundcore.receive(frame).events }
/// ```
public struct SoundcoreProtocol: FamilyProtocol {
  public typealias Frame = SoundcoreFrame

  public static let name = "Soundcore"
  /// The bits of the service's UUID that all models share.
  public static let serviceMask = BluetoothUUID(high: 0x0000_FFFF_FFFF_FFFF, low: .max)
  /// The service of all models, with 0 for the model's 16 bits.
  public static let service = BluetoothUUID(
    high: 0x0000_F5DA_0000_1000, low: 0x8000_0080_5F9B_34FB)
  /// The characteristic for commands and questions.
  public static let write = BluetoothUUID.bit16(0x7777)
  /// The characteristic for answers and unprompted reports.
  public static let notify = BluetoothUUID.bit16(0x8888)

  /// One level, or left and right; empty: none was reported.
  private var levels: [UInt8] = []
  private var charging: [Bool] = []
  private var soundModes: SoundcoreSoundModes?
  private var eq: SoundcoreEQ?
  /// The gains that the wearer set last, as far as they were reported; selecting custom restores
  /// them.
  private var ownGains: [Int16]?
  /// The equaliser that was ordered and is not read back yet.
  private var orderedEQ: SoundcoreEQ?
  /// Whether the next report is an event in any case, because it was ordered.
  private var modesAreNews = false
  /// Whether the next report of the equaliser is an event in any case, because it was ordered.
  private var eqIsNews = false
  /// Joins values to frames: a state is longer than the smallest MTU.
  private var reader = FrameReader(SoundcoreFrame.format(of: .headphone))
  private var firmware: String?
  private var serial: String?

  private let models: ModelCatalog
  /// The first 16 bits of the service; nil: not known, and the length of the state decides.
  public let modelService: UInt16?

  /// Creates the protocol.
  ///
  /// - Parameters:
  ///   - models: has the layouts of states.
  ///   - service: the model's part of the service.
  public init(_ models: ModelCatalog, service: UInt16? = nil) {
    self.models = models
    modelService = service
  }

  /// Creates the protocol for a channel, whose service names the model.
  public init(on channel: FamilyChannel, _ models: ModelCatalog) {
    self.init(models, service: UInt16(truncatingIfNeeded: channel.service.high >> 48))
  }

  /// Its service, of which a part is the model's.
  public static let advertised: [AdvertisingPattern] = [.service(service, mask: serviceMask)]

  /// The characteristics of a Soundcore service, whatever its model; nil: there is none.
  public static func channel(in database: Database) -> FamilyChannel? {
    for service in database.services where service.uuid.masked(by: serviceMask) == Self.service {
      let channel = FamilyChannel(
        of: service, write: service.characteristic(write), notify: service.characteristic(notify))
      if let channel { return channel }
    }
    return nil
  }

  /// The headphone's capabilities, by its answers: one device or two buds; the case reports
  /// nothing.
  public var capabilities: Capabilities {
    var able = Capabilities()
    if !levels.isEmpty { able.batteries = levels.count > 1 ? [.left, .right] : [.left] }
    if soundModes != nil { able.ancModes = [.off, .noiseCancelling, .transparency] }
    if eq != nil {
      able.eqPresets = EQPreset.allCases
      able.eqBands = SoundcoreEQ.bandCount
      able.eqCentres = SoundcoreEQ.centres
    }
    return able
  }

  /// Firmware and serial number, from the answers to the questions for firmware and state.
  public var information: DeviceInformation {
    DeviceInformation(manufacturer: "Soundcore", serial: serial, firmware: firmware)
  }

  /// Asks for everything, and forgets what was reported; the state comes first, because it may hold
  /// all.
  public mutating func questions() -> [Exchange] {
    (levels, charging, soundModes, eq) = ([], [], nil, nil)
    return [
      SoundcoreCommand.state, SoundcoreCommand.battery, SoundcoreCommand.charging,
      SoundcoreCommand.firmware,
    ].map { Self.exchange($0) }
  }

  /// The exchanges that carry a command out: the whole of sound modes or equaliser with the change,
  /// then the question for the state.
  ///
  /// - Throws: `unsupported` where the state has no place for it; `badArgument` for another number
  ///   of bands than 8.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    switch command {
    case .setANC(let mode):
      guard let changed = soundModes?.with(mode) else {
        throw .noMode(mode)
      }
      modesAreNews = true
      return [
        Self.exchange(SoundcoreCommand.setSoundModes, changed.encoded()),
        Self.exchange(SoundcoreCommand.state),
      ]
    case .setEQ(let preset):
      guard eq != nil else { throw .unsupported("equaliser") }
      let flat = Array(repeating: Int16(0), count: SoundcoreEQ.bandCount)
      return order(
        SoundcoreEQ(preset) ?? SoundcoreEQ(id: SoundcoreEQ.customID, tenths: ownGains ?? flat))
    case .setCustomEQ(let gains):
      guard eq != nil else { throw .unsupported("custom equaliser") }
      guard gains.count == SoundcoreEQ.bandCount else {
        throw .gains(gains.count, insteadOf: SoundcoreEQ.bandCount)
      }
      return order(SoundcoreEQ(custom: gains))
    default: throw .noCommand(of: Self.name)
    }
  }

  /// The command for the equaliser, and the question for the state.
  private mutating func order(_ eq: SoundcoreEQ) -> [Exchange] {
    (orderedEQ, eqIsNews) = (eq, true)
    return [
      Self.exchange(SoundcoreCommand.setEQ, eq.encoded()), Self.exchange(SoundcoreCommand.state),
    ]
  }

  /// A frame of the phone's, answered by the same command.
  private static func exchange(_ command: UInt16, _ body: [UInt8] = []) -> Exchange {
    Exchange(SoundcoreFrame(.phone, command, body[...]).encoded(), answer: AnswerID(command))
  }

  /// Ends a command: the acknowledgement has no body, so the state that followed it is compared.
  ///
  /// - Throws: `unsupported` where the state has another mode or equaliser.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    switch command {
    case .setANC(let mode) where soundModes?.mode != mode:
      throw .noMode(mode)
    case .setEQ, .setCustomEQ:
      guard let ordered = orderedEQ.take(), ordered.id == eq?.id,
        // A preset's gains are not always reported with it.
        ordered.id != SoundcoreEQ.customID || ordered == eq
      else { throw .unsupported("such equaliser") }
    default: break
    }
    return []
  }

  // MARK: Receiving

  public mutating func messages(in value: Bytes) -> [Bytes] { reader.messages(in: value) }

  /// Handles one frame; its events are those of the changes that it brings.
  public mutating func receive(_ value: Bytes) -> ParsedMessage {
    do throws(MalformedBytes) {
      let frame = try SoundcoreFrame(decoding: value)
      guard frame.sender == .headphone else {
        throw MalformedBytes("Soundcore frame", at: 0, .badValue(UInt64(value.first ?? 0)))
      }
      do throws(MalformedBytes) {
        return ParsedMessage(answer: AnswerID(frame.command), try events(of: frame, value))
      } catch {
        // Counts as the response: the headphone sends no other.
        return ParsedMessage(answer: AnswerID(frame.command), [.malformed(error, value)])
      }
    } catch {
      return ParsedMessage([.malformed(error, value)])
    }
  }

  /// The changes that a frame brings.
  ///
  /// - Throws: `MalformedBytes` for a body out of range, and for a command that is not known.
  private mutating func events(
    of frame: SoundcoreFrame, _ value: Bytes
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    switch frame.command {
    case SoundcoreCommand.state:
      guard
        let layout = models.soundcore(service: modelService, stateLength: frame.body.count)?
          .soundcoreState
      else { throw MalformedBytes("Soundcore state", at: 0, .badLength(frame.body.count)) }
      let state = try SoundcoreState(decoding: frame.body, by: layout)
      (firmware, serial) = (state.firmware ?? firmware, state.serial ?? serial)
      let before = (levels, charging)
      if let step = state.step { levels = [step] }
      if let isCharging = state.isCharging { charging = [isCharging] }
      return ((levels, charging) == before ? [] : [.batteryChanged(batteries)])
        + (state.soundModes.map { take($0, value) } ?? []) + (state.eq.map { take($0) } ?? [])
    case SoundcoreCommand.battery:
      let reported = try SoundcoreBattery(decoding: frame.body).levels
      return reported == levels ? [] : news { $0.levels = reported }
    case SoundcoreCommand.charging:
      let reported = try SoundcoreCharging(decoding: frame.body).isCharging
      return reported == charging ? [] : news { $0.charging = reported }
    case SoundcoreCommand.firmware:
      let reported = try SoundcoreFirmware(decoding: frame.body)
      (firmware, serial) = (reported.versions.joined(separator: " / "), reported.serial)
      return []
    case SoundcoreCommand.soundModes where !frame.body.isEmpty:
      return take(try SoundcoreSoundModes(decoding: frame.body), value)
    case SoundcoreCommand.setEQ, SoundcoreCommand.setSoundModes, SoundcoreCommand.soundModes:
      return []
    default: throw MalformedBytes("Soundcore command", at: 5, .unknownType(UInt64(frame.command)))
    }
  }

  /// Changes level or charging; an event follows once a level is known.
  private mutating func news(_ change: (inout Self) -> Void) -> [HeadphoneEvent] {
    change(&self)
    return levels.isEmpty ? [] : [.batteryChanged(batteries)]
  }

  /// The levels with what is known of their charging.
  private var batteries: [Part: Battery] {
    Dictionary(
      uniqueKeysWithValues: zip([Part.left, .right], levels.indices).map { part, index in
        let isCharging = charging.indices.contains(index) ? charging[index] : nil
        return (
          part, Battery(step: levels[index], of: SoundcoreBattery.steps, isCharging: isCharging)
        )
      })
  }

  /// Takes sound modes; one without a name here is malformed, and changes nothing.
  private mutating func take(
    _ reported: SoundcoreSoundModes, _ value: Bytes
  ) -> [HeadphoneEvent] {
    guard let mode = reported.mode else {
      let error = MalformedBytes(
        "Soundcore sound mode", at: 0, .badValue(UInt64(reported.ambient.rawValue)))
      return [.malformed(error, value)]
    }
    defer { (soundModes, modesAreNews) = (reported, false) }
    return modesAreNews || soundModes?.mode != mode ? [.ancChanged(mode)] : []
  }

  private mutating func take(_ reported: SoundcoreEQ) -> [HeadphoneEvent] {
    if reported.preset == .custom { ownGains = reported.tenths }
    defer { (eq, eqIsNews) = (reported, false) }
    return eqIsNews || eq != reported ? [.eqChanged(reported.preset, bands: reported.gains)] : []
  }
}
