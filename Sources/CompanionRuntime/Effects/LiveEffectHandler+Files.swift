internal import BluetoothCodec
internal import Companion
internal import EventLoop
internal import HeadphoneProtocols

extension LiveEffectHandler {
  /// The headphones of earlier runs; what cannot be read is said and not touched.
  func recall(_ send: Send) -> [KnownHeadphone] {
    do {
      let known = try world.known.all()
      for headphone in known { links.know(headphone) }
      return known
    } catch {
      send(.noted(.error, nil, "known headphones: \(error)"))
      return []
    }
  }

  func remember(_ headphone: KnownHeadphone, _ send: @escaping Send) {
    save(send) { known throws(FileError) in try known.remember(headphone) }
  }

  func keepSoundPin(of headphone: KnownHeadphone, _ send: @escaping Send) {
    save(send) { known throws(FileError) in try known.keepSoundPin(of: headphone) }
  }

  func merge(_ newer: HeadphoneID, with older: HeadphoneID, _ send: @escaping Send) {
    links.merge(newer, with: older)
    save(send) { known throws(FileError) in try known.forget(newer) }
  }

  func drop(_ id: HeadphoneID, _ send: @escaping Send) {
    save(send) { known throws(FileError) in try known.forget(id) }
  }

  func forget(_ id: HeadphoneID, _ send: @escaping Send) {
    links.unpair(id, send: send)
    links.forget(id)
    firmware.pause(id)
    save(send) { known throws(FileError) in try known.forget(id) }
  }

  private func save(
    _ send: @escaping Send,
    _ change: @escaping @Sendable (KnownHeadphones) throws(FileError) -> Void
  ) {
    let known = world.known
    let previous = saving
    saving = Task {
      await previous?.value
      do throws(FileError) {
        try await FileIO.shared.change(known, change)
      } catch {
        send(.noted(.error, nil, "known headphones: \(error)"))
      }
    }
  }
}

/// Writes files on a thread of its own: a slow disk must hold up neither a key nor the radio.
actor FileIO {
  static let shared = FileIO()

  private let loop = PollLoop(name: "earshot-files")

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  func change(
    _ known: KnownHeadphones,
    _ change: @Sendable (KnownHeadphones) throws(FileError) -> Void
  ) throws(FileError) {
    try change(known)
  }

  func write(_ file: AppendedFile) { file.write() }

  func drop(_ identity: PeerAddress, from bonds: BondFile) { bonds.drop(identity) }

  /// A leading "~/" is the person's home, as in a shell.
  func image(at path: String) throws(CommandError) -> FirmwareImage {
    try FirmwareFile.read(FirmwareFile.absolute(path))
  }

  func trustedKeys(of world: Dependencies) -> MakerKeys { world.trustedKeys() }

  func unfinishedUpdate(of id: HeadphoneID, in known: KnownHeadphones) -> InterruptedUpdate? {
    known.isUpdating(id) ? nil : known.unfinishedUpdate(of: id)
  }
}
