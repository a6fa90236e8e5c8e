internal import Companion
internal import EventLoop
internal import HeadphoneProtocols
internal import Persistence

extension LiveEffectHandler {
  /// Reads the known headphones; a file that cannot be read is reported and left alone.
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
        try await FileIO.shared.run { () throws(FileError) in try change(known) }
      } catch {
        send(.noted(.error, nil, "known headphones: \(error)"))
      }
    }
  }
}
