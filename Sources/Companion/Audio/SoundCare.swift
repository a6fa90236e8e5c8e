import AudioRoute

package struct KnownSound: Hashable, Sendable {
  /// Whether the sound of this computer has ever gone to the headphone.
  package var hasPlayed: Bool
  /// Whether the sound went to the headphone when it was last connected.
  package var wasHere: Bool
  package var isDeclined: Bool
  package var mode: KnownSoundMode?

  package init(
    hasPlayed: Bool = false, wasHere: Bool = false, isDeclined: Bool = false,
    mode: KnownSoundMode? = nil
  ) {
    self.hasPlayed = hasPlayed
    self.wasHere = wasHere
    self.isDeclined = isDeclined
    self.mode = mode
  }
}

/// What was last done to get the sound that the user wants.
package enum SoundAttempt: Hashable, Sendable {
  case link
  /// The sound server was told to switch its music profile on.
  case profile
  case linkAgain
}

struct SoundCare: Hashable, Sendable {
  var known = KnownSound()
  var volume = VolumeCare()
  var follow = FollowCare()
  var mode = ModeCare()
  var scenes = SceneCare()
  /// The profile and codec that were last in use; nil while the headphone has no sound.
  var use: SoundUse?
  var speech: SpeechCare?
  /// The volume that was raised after the wearer last spoke.
  var raised: SpeechCare.Raised?
  /// The offset in ms that was set at the sound server during this connection.
  var offset: Int?
}

struct VolumeCare: Hashable, Sendable {
  var beginning: Limit?
  var corrections: [Timestamp] = []
  var isPaused = false
  var hasNotified = false

  struct Limit: Hashable, Sendable {
    /// The time in which servers and headphones restore a volume after the sound has connected.
    private static let milliseconds: Int64 = 3000

    var percent: Int
    var since: Timestamp

    /// Whether the limit is in force; it ends if the clock is set by more than its time.
    func applies(at timestamp: Timestamp) -> Bool {
      abs(timestamp.milliseconds - since.milliseconds) <= Self.milliseconds
    }
  }
}

extension State {
  /// Collects the sound devices that have connected since `before`.
  ///
  /// There are none after the sound server has just started or is seen for the first time.
  mutating func noteArrivals(since before: State) {
    guard case .running(let old) = before.audio, case .running(let new) = audio else {
      return arrivedDevices = []
    }
    let ids = Set(new.devices.filter(\.isBluetooth).map(\.id))
    arrivedDevices = arrivedDevices.intersection(ids).union(ids.subtracting(old.devices.map(\.id)))
  }

  /// Applies the sound rules to each headphone, after the sound, the rules or the headphones
  /// changed.
  mutating func careForSound(at timestamp: Timestamp) -> [Effect] {
    guard isResident, case .running = audio else { return [] }
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

  /// Sets the configured offset once per connection and change, as other programs may change it.
  private mutating func setOffset(of headphone: HeadphoneState, _ match: AudioMatch) -> [Effect] {
    guard let card = match.card, let output = card.output,
      let wanted = soundRules.number(.offset, for: headphone), headphone.care.offset != wanted
    else { return [] }
    headphones.update(headphone.id) { $0.care.offset = wanted }
    guard output.offset != wanted else { return [] }
    return [.audio(.setOffset(card: card.name, port: output.port, milliseconds: wanted))]
  }

  private mutating func endVolumeCare(of headphone: HeadphoneState) -> [Effect] {
    headphones.update(headphone.id) { $0.care.volume = VolumeCare() }
    return headphone.care.volume.isPaused ? [.cancelTimer(.ceiling(headphone.id))] : []
  }
}

extension AudioMatch {
  var deviceID: SoundDevice.ID {
    SoundDevice.ID(
      card?.address?.uppercased() ?? card?.name ?? sink?.bluetooth?.address?.uppercased()
        ?? sink?.name ?? "")
  }
}
