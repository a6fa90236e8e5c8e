internal import AudioRoute
internal import BluetoothCodec
internal import Companion
internal import HeadphoneProtocols
public import JSON
internal import Persistence

/// What `earshot audio` does: the sound devices of this machine, and which headphones they are.
///
/// It asks the sound server and the file of known headphones; the radio is left alone.
@MainActor
public struct AudioDeviceOverrides {
  private let world: Dependencies
  private var state = State()

  /// Recalls the known headphones and asks the sound server.
  public init(_ world: Dependencies) async throws(CommandError) {
    self.world = world
    _ = state.reduce(
      .launched(try world.known.list(), autoConnect: .never), at: world.now())
    let first = await observeAudio(world.makeAudio, for: .seconds(2), by: world.clock)
    if let first { _ = state.reduce(.audio(first), at: world.now()) }
  }

  /// What another process has told the program that owns the link, which shows it.
  public func report(_ store: Store) throws(CommandError) {
    for known in try world.known.list() {
      guard let shown = store.state.headphones[known.id], shown.soundPin != known.soundPin else {
        continue
      }
      store.send(.soundPinned(known.id, known.soundPin))
    }
  }

  /// All sound devices, and which headphones they are.
  public var report: SoundDevicesReport { SoundDevicesReport(state) }

  /// Says which sound device a headphone is, for this and later runs.
  ///
  /// - Parameters:
  ///   - device: a beginning of its address or name; a whole address need not be there now.
  ///   - headphone: a beginning of its identity, address or name; nil: the one used last.
  public func pin(_ device: String, as headphone: String?) throws(CommandError) -> Report {
    try keep(try id(of: device), as: headphone)
  }

  /// Leaves finding the sound device of a headphone to the rules again.
  public func unpin(_ headphone: String?) throws(CommandError) -> Report {
    try keep(nil, as: headphone)
  }

  /// What was kept, for the shell.
  public struct Report: CompanionRuntime.Report, Hashable {
    var headphone: String
    var pin: String?

    public var text: String {
      let name = displayable(headphone)
      return pin.map { "\(name) is the sound device \(displayable($0))" }
        ?? "the sound device of \(name) is found by rules"
    }

    public var json: JSON {
      ["schema": 1, "headphone": .string(headphone), "pin": JSON(pin)]
    }
  }

  private func keep(
    _ device: SoundDevice.ID?, as selector: String?
  ) throws(CommandError) -> Report {
    let meant =
      if let selector {
        try world.known.only(matching: selector)
      } else {
        try world.known.list().first { $0.lastUsed != nil }
      }
    guard var headphone = meant else { throw .notKnown(selector: selector) }
    headphone.soundPin = device
    do {
      try world.known.keepSoundPin(of: headphone)
    } catch {
      throw .file(error)
    }
    return Report(headphone: headphone.name, pin: device?.text)
  }

  private func id(of selector: String) throws(CommandError) -> SoundDevice.ID {
    if let address = BluetoothAddress(selector) { return SoundDevice.ID(address.description) }
    switch state.audio {
    case .unavailable(let reason):
      throw .unavailable(
        "\(reason.displayText): without a sound server only a whole Bluetooth address can be pinned"
      )
    case .running(let sound):
      return try sound.device(meantBy: selector).id
    }
  }
}
