import AudioRoute

/// What is known of a headphone's sound from one run to the next.
public struct KnownSound: Hashable, Sendable {
  /// Whether this computer has had its sound.
  public var hasPlayed: Bool
  /// Whether the sound was on it when it was last connected.
  public var wasHere: Bool
  /// Whether a person has disconnected its sound here.
  public var isDeclined: Bool
  /// The profile and codec that a person chose here for music; nil: none.
  public var mode: KnownSoundMode?

  public init(
    hasPlayed: Bool = false, wasHere: Bool = false, isDeclined: Bool = false,
    mode: KnownSoundMode? = nil
  ) {
    self.hasPlayed = hasPlayed
    self.wasHere = wasHere
    self.isDeclined = isDeclined
    self.mode = mode
  }
}

/// What this computer does about the sound of a headphone.
struct SoundCare: Hashable, Sendable {
  /// One that was never saved is new here.
  var known = KnownSound()
  var volume = VolumeCare()
  var follow = FollowCare()
  var mode = ModeCare()
  /// What is done while the wearer speaks; nil: nothing.
  var speech: SpeechCare?
  /// The offset, in ms, that the sound server was given in this connection.
  var offset: Int?
}

/// What is done about the volume of a headphone while it is connected.
struct VolumeCare: Hashable, Sendable {
  /// The volume that its beginning sound may not exceed, and until when.
  var beginning: Limit?
  /// When the volume was put back, in the last seconds.
  var corrections: [Timestamp] = []
  /// Whether a program that kept raising it has to wait for the next correction.
  var isPaused = false
  /// Whether a notification has said so.
  var hasNotified = false

  struct Limit: Hashable, Sendable {
    var percent: Int
    var until: Timestamp
  }
}

extension State {
  /// The sound devices that have connected since an earlier state; a sound server that has just
  /// started, or is seen for the first time, has none.
  mutating func noteArrivals(since before: State) {
    guard case .running(let old) = before.audio, case .running(let new) = audio else {
      return arrivedDevices = []
    }
    let ids = Set(new.devices.filter(\.isBluetooth).map(\.id))
    arrivedDevices = arrivedDevices.intersection(ids).union(ids.subtracting(old.devices.map(\.id)))
  }

  /// Applies the rules of the configuration to the sound of each headphone, where this process does;
  /// called when the sound, the rules or the headphones have changed.
  mutating func careForSound(at timestamp: Timestamp) -> [Effect] {
    guard appliesSoundRules, case .running = audio else { return [] }
    var effects: [Effect] = []
    for headphone in headphones {
      guard let match = audioMatch(for: headphone) else {
        if headphone.care.volume != VolumeCare() { effects += endVolumeCare(of: headphone) }
        if headphone.care.offset != nil { headphones.update(headphone.id) { $0.care.offset = nil } }
        if headphone.care.mode != ModeCare() {
          headphones.update(headphone.id) { $0.care.mode = ModeCare() }
        }
        continue
      }
      effects += setOffset(of: headphone, match)
      effects += restoreMode(of: headphone, match, at: timestamp)
      guard let sink = match.sink else { continue }
      if arrivedDevices.remove(match.deviceID) != nil {
        effects += beginSound(of: headphone, match, at: timestamp)
      }
      effects += keepCeiling(of: headphone.id, sink, at: timestamp)
    }
    return effects
  }

  /// Gives the sound server the offset of the configuration: once for each connection and change, so
  /// that another program may change it meanwhile.
  private mutating func setOffset(of headphone: HeadphoneState, _ match: AudioMatch) -> [Effect] {
    guard let card = match.card, let output = card.output,
      let wanted = soundRules.number(.offset, for: headphone), headphone.care.offset != wanted
    else { return [] }
    headphones.update(headphone.id) { $0.care.offset = wanted }
    guard output.offset != wanted else { return [] }
    return [.audio(.setOffset(card: card.name, port: output.port, milliseconds: wanted))]
  }

  /// The device of a headphone has gone.
  private mutating func endVolumeCare(of headphone: HeadphoneState) -> [Effect] {
    headphones.update(headphone.id) { $0.care.volume = VolumeCare() }
    return headphone.care.volume.isPaused ? [.cancelTimer(.ceiling(headphone.id))] : []
  }
}

extension AudioMatch {
  /// The identity of its ``SoundDevice``.
  var deviceID: SoundDevice.ID {
    SoundDevice.ID(
      card?.address?.uppercased() ?? card?.name ?? sink?.bluetooth?.address?.uppercased()
        ?? sink?.name ?? "")
  }
}
