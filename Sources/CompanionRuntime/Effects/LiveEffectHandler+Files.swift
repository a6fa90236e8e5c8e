internal import Companion
internal import EventLoop
internal import HeadphoneProtocols
internal import Persistence

extension LiveEffectHandler {
  /// Reads the known headphones for the reducer; returns none if the file cannot be read.
  ///
  /// A file that cannot be read, or a slow disk, is reported; the file is not changed.
  func recall(_ send: @escaping Send) async -> [KnownHeadphone] {
    let slowness = Task { [clock = dependencies.clock, path = dependencies.known.folder.path] in
      guard (try? await clock.sleep(for: Self.slowDisk)) != nil else { return }
      send(.noted(.warning, nil, "known headphones: \(FileError.stalled(path: path))"))
    }
    defer { slowness.cancel() }
    do throws(FileError) {
      let known = try await FileIO.shared.run { [known = dependencies.known] () throws(FileError) in
        try known.all()
      }
      for headphone in known { links.know(headphone) }
      return known
    } catch {
      send(.noted(.error, nil, "known headphones: \(error)"))
      return []
    }
  }

  private static let slowDisk = Duration.seconds(3)

  /// Reads battery histories; one that cannot be read is reported and not changed.
  func recallCharges(of ids: [HeadphoneID], _ send: @escaping Send) {
    guard !ids.isEmpty else { return }
    tasks.run { [known = dependencies.known] in
      for id in ids {
        do throws(FileError) {
          let history = try await FileIO.shared.run { () throws(FileError) in
            try known.charges(of: id)
          }
          send(.charges(id, history))
        } catch {
          send(.noted(.warning, id, "battery history: \(error)"))
        }
      }
    }
  }

  func keep(_ sample: ChargeSample, of id: HeadphoneID, _ send: @escaping Send) {
    heldWrites.charges[id, default: BatteryHistory()].append(sample)
    writeLater(send)
  }

  /// Saves a headphone; after an error, which is logged, the next change or the program's end
  /// retries.
  ///
  /// The first change is saved immediately, because what makes a headphone known must survive a
  /// crash; changes within seconds of it are delayed.
  func remember(_ headphone: KnownHeadphone, _ send: @escaping Send) {
    heldWrites.headphones[headphone.id] = headphone
    if heldWrites.remembered.insert(headphone.id).inserted { saveHeadphone(headphone.id, send) }
    writeLater(send)
  }

  /// Writes changes together after a delay, so that frequent reports do not keep the disk busy.
  private func writeLater(_ send: @escaping Send) {
    heldWrites.report = send
    guard !heldWrites.isAwaited else { return }
    heldWrites.isAwaited = true
    tasks.run { [weak self, clock] in
      // Cancelled at the end of the program, which saves what is waiting.
      while (try? await clock.sleep(for: Self.writeDelay)) != nil, let self {
        heldWrites.remembered = Set(heldWrites.headphones.keys)
        heldWrites.hasFailed = false
        saveHeldWrites()
        await saving?.value
        // What could not be written is written with the next change.
        let isIdle = heldWrites.isEmpty && heldWrites.remembered.isEmpty
        guard isIdle || heldWrites.hasFailed || listFailure != nil else { continue }
        heldWrites.isAwaited = false
        return
      }
    }
  }

  /// The delay of a write, which collects changes; a crash loses at most the changes of this time.
  static let writeDelay = Duration.seconds(5)

  func saveHeldWrites() {
    for id in heldWrites.headphones.keys { saveHeadphone(id, heldWrites.report) }
    for id in heldWrites.charges.keys { saveCharges(id, heldWrites.report) }
  }

  /// Writes the waiting samples; they wait again if that fails.
  private func saveCharges(_ id: HeadphoneID, _ send: @escaping Send) {
    guard let history = heldWrites.charges.removeValue(forKey: id) else { return }
    heldWrites.writtenCharges[id] = history
    save(isHistory: true, send) { known throws(FileError) in
      try known.keep(history.samples, of: id)
    } completion: { [weak self] isSaved in
      self?.heldWrites.end(history, of: id, isSaved: isSaved)
    }
  }

  /// Writes the waiting headphone, which waits again if that fails.
  private func saveHeadphone(_ id: HeadphoneID, _ send: @escaping Send) {
    guard let headphone = heldWrites.headphones.removeValue(forKey: id) else { return }
    heldWrites.written[id] = headphone
    save(send) { known throws(FileError) in
      try known.remember(headphone)
    } completion: { [weak self] isSaved in
      self?.heldWrites.end(headphone, isSaved: isSaved)
    }
  }

  func keep(_ discharge: Discharge, of id: HeadphoneID, _ send: @escaping Send) {
    save(isHistory: true, send) { known throws(FileError) in
      try known.keep(discharge, of: id)
    }
  }

  /// Saves a part of a headphone's data, after waiting data with an older version of it.
  func keep(
    _ part: KnownHeadphone.Part, of headphone: KnownHeadphone, _ send: @escaping Send
  ) {
    saveHeadphone(headphone.id, send)
    save(send) { known throws(FileError) in try known.keep(part, of: headphone) }
  }

  func merge(_ newer: HeadphoneID, with older: HeadphoneID, _ send: @escaping Send) {
    links.merge(newer, with: older)
    delete(newer, send)
  }

  func drop(_ id: HeadphoneID, _ send: @escaping Send) { delete(id, send) }

  /// Deletes keys, registry entry and saved entry, and pauses an update.
  func forget(_ id: HeadphoneID, _ send: @escaping Send) {
    links.unpair(id, send: send)
    links.forget(id)
    firmware.pause(id)
    delete(id, send)
  }

  private func delete(_ id: HeadphoneID, _ send: @escaping Send) {
    heldWrites.drop(id)
    save(send) { known throws(FileError) in try known.forget(id) }
  }

  /// Changes the file of known headphones on the thread for files, after earlier writes.
  ///
  /// - Parameter isHistory: Whether the file is a battery history, whose failure does not affect
  ///   the list.
  private func save(
    isHistory: Bool = false, _ send: @escaping Send,
    _ change: @escaping @Sendable (KnownHeadphones) throws(FileError) -> Void,
    completion: @escaping @MainActor (_ isSaved: Bool) -> Void = { _ in }
  ) {
    let known = dependencies.known
    let previous = saving
    saving = Task {
      await previous?.value
      do throws(FileError) {
        try await FileIO.shared.run { () throws(FileError) in try change(known) }
        if !isHistory { listFailure = nil }
        completion(true)
      } catch {
        if !isHistory { listFailure = error }
        completion(false)
        send(.noted(.error, nil, "known headphones: \(error)"))
      }
    }
  }
}

@MainActor
struct HeldWrites {
  var charges: [HeadphoneID: BatteryHistory] = [:]
  var headphones: [HeadphoneID: KnownHeadphone] = [:]
  var remembered: Set<HeadphoneID> = []
  var written: [HeadphoneID: KnownHeadphone] = [:]
  var writtenCharges: [HeadphoneID: BatteryHistory] = [:]
  var hasFailed = false
  /// Whether a delay or a write is in progress.
  var isAwaited = false
  var report: LiveEffectHandler.Send = { _ in }

  var isEmpty: Bool { charges.isEmpty && headphones.isEmpty }

  mutating func drop(_ id: HeadphoneID) {
    charges[id] = nil
    writtenCharges[id] = nil
    headphones[id] = nil
    written[id] = nil
    remembered.remove(id)
  }

  /// Ends a write; after a failure the headphone waits again, unless it was changed or removed.
  mutating func end(_ headphone: KnownHeadphone, isSaved: Bool) {
    let id = headphone.id
    guard written[id] == headphone else { return }
    written[id] = nil
    if !isSaved, headphones[id] == nil { headphones[id] = headphone }
  }

  /// Ends a write; after a failure the samples wait again, unless their headphone was removed.
  mutating func end(_ history: BatteryHistory, of id: HeadphoneID, isSaved: Bool) {
    guard writtenCharges[id] == history else { return }
    writtenCharges[id] = nil
    guard !isSaved else { return }
    hasFailed = true
    var all = history
    for sample in charges[id]?.samples ?? [] { all.append(sample) }
    charges[id] = all
  }
}
