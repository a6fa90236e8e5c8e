internal import Companion

extension LiveEffects {
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

  func forget(_ id: HeadphoneID, _ send: @escaping Send) {
    links.forget(id)
    save(send) { known throws(FileError) in try known.forget(id) }
  }

  /// Writes in the background, one change after the other: a slow disk must not hold up a key.
  private func save(
    _ send: @escaping Send,
    _ change: @escaping @Sendable (KnownHeadphones) throws(FileError) -> Void
  ) {
    let known = world.known
    let previous = saving
    saving = Task.detached {
      await previous?.value
      do throws(FileError) {
        try change(known)
      } catch {
        await send(.noted(.error, nil, "known headphones: \(error)"))
      }
    }
  }
}
