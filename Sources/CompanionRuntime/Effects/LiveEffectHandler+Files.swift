internal import Companion
internal import EventLoop
internal import HeadphoneProtocols
internal import Persistence

extension LiveEffectHandler {
  /// Reads the known headphones; a file that cannot be read is reported and left alone, and so is a
  /// disk that takes long.
  ///
  /// - Returns: all of them, which the caller passes to the reducer; empty where the file cannot be
  ///   read.
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

  /// The time after which a disk that does not respond at the start is reported.
  private static let slowDisk = Duration.seconds(3)

  /// Reads battery histories; one that cannot be read is reported and left alone.
  ///
  /// Answered by ``/Companion/Action/charges(_:_:)`` for each headphone whose file can be read.
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

  /// Adds a sample to the file of a headphone's battery history; a failure goes to the log.
  func keep(_ sample: ChargeSample, of id: HeadphoneID, _ send: @escaping Send) {
    heldWrites.charges[id, default: BatteryHistory()].append(sample)
    writeLater(send)
  }

  /// Saves a headphone; a failure goes to the log, and the next change or the end of the program tries again.
  ///
  /// At once, unless that was done some seconds ago: headphones are seldom saved, and what makes one known must outlast a crash.
  func remember(_ headphone: KnownHeadphone, _ send: @escaping Send) {
    heldWrites.headphones[headphone.id] = headphone
    if heldWrites.remembered.insert(headphone.id).inserted { saveHeadphone(headphone.id, send) }
    writeLater(send)
  }

  /// Write coalescing: what changes waits some seconds for others, and the next wait begins when the write has ended.
  ///
  /// So a headphone that floods Earshot with charges or names does not keep the disk busy, and a slow disk has one write to do.
  private func writeLater(_ send: @escaping Send) {
    heldWrites.report = send
    guard !heldWrites.isAwaited else { return }
    heldWrites.isAwaited = true
    tasks.run { [weak self, clock] in
      // Cancelled at the end of the program, which saves what waits.
      while (try? await clock.sleep(for: Self.writeDelay)) != nil, let self {
        heldWrites.remembered = Set(heldWrites.headphones.keys)
        saveHeldWrites()
        await saving?.value
        // What could not be written goes with the next change.
        let isIdle = heldWrites.isEmpty && heldWrites.remembered.isEmpty
        guard isIdle || listFailure != nil else { continue }
        heldWrites.isAwaited = false
        return
      }
    }
  }

  /// The time that changes wait for others: the most of them that a crash loses.
  static let writeDelay = Duration.seconds(5)

  /// Begins to write what waits.
  func saveHeldWrites() {
    for id in heldWrites.headphones.keys { saveHeadphone(id, heldWrites.report) }
    for (id, history) in heldWrites.charges {
      save(isHistory: true, heldWrites.report) { known throws(FileError) in
        try known.keep(history.samples, of: id)
      }
    }
    heldWrites.charges = [:]
  }

  /// Begins to write a headphone that waits; it waits again if that fails.
  private func saveHeadphone(_ id: HeadphoneID, _ send: @escaping Send) {
    guard let headphone = heldWrites.headphones.removeValue(forKey: id) else { return }
    heldWrites.written[id] = headphone
    save(send) { known throws(FileError) in
      try known.remember(headphone)
    } completion: { [weak self] isSaved in
      self?.heldWrites.end(headphone, isSaved: isSaved)
    }
  }

  /// Adds a discharge to the file of a headphone's discharges; a failure goes to the log.
  func keep(_ discharge: Discharge, of id: HeadphoneID, _ send: @escaping Send) {
    save(isHistory: true, send) { known throws(FileError) in
      try known.keep(discharge, of: id)
    }
  }

  /// Saves a part of what is known of a headphone, after what waits of it and has an older one.
  func keep(
    _ part: KnownHeadphone.Part, of headphone: KnownHeadphone, _ send: @escaping Send
  ) {
    saveHeadphone(headphone.id, send)
    save(send) { known throws(FileError) in try known.keep(part, of: headphone) }
  }

  /// Continues connections and files of `newer` under the identity of `older`.
  func merge(_ newer: HeadphoneID, with older: HeadphoneID, _ send: @escaping Send) {
    links.merge(newer, with: older)
    delete(newer, send)
  }

  /// Deletes the saved entry of a set's member; its keys stay.
  func drop(_ id: HeadphoneID, _ send: @escaping Send) { delete(id, send) }

  /// Deletes keys, registry entry and saved entry, and pauses an update.
  func forget(_ id: HeadphoneID, _ send: @escaping Send) {
    links.unpair(id, send: send)
    links.forget(id)
    firmware.pause(id)
    delete(id, send)
  }

  /// Deletes the saved entry of a headphone, and what waits to be written of it.
  private func delete(_ id: HeadphoneID, _ send: @escaping Send) {
    heldWrites.drop(id)
    save(send) { known throws(FileError) in try known.forget(id) }
  }

  /// Changes the file of known headphones on the thread for files.
  ///
  /// Writes are serialised in the order of their effects, and `stop` waits for the last.
  ///
  /// - Parameter isHistory: whether it is a battery's history, whose success says nothing of the list, and without which the
  ///   next run works all the same.
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

/// What waits to be written, by headphone.
@MainActor
struct HeldWrites {
  /// The samples of battery histories.
  var charges: [HeadphoneID: BatteryHistory] = [:]
  /// Each as it was last.
  var headphones: [HeadphoneID: KnownHeadphone] = [:]
  /// The headphones that were saved since the wait began, whose next change waits for its end.
  var remembered: Set<HeadphoneID> = []
  /// Each as it is being written.
  var written: [HeadphoneID: KnownHeadphone] = [:]
  /// Whether a wait or a write is under way.
  var isAwaited = false
  /// Receives the failure to write.
  var report: LiveEffectHandler.Send = { _ in }

  var isEmpty: Bool { charges.isEmpty && headphones.isEmpty }

  /// Drops what waits of a headphone that goes.
  mutating func drop(_ id: HeadphoneID) {
    charges[id] = nil
    headphones[id] = nil
    written[id] = nil
    remembered.remove(id)
  }

  /// The end of a write; a headphone that is not saved waits again, unless it changed or went meanwhile.
  mutating func end(_ headphone: KnownHeadphone, isSaved: Bool) {
    let id = headphone.id
    guard written[id] == headphone else { return }
    written[id] = nil
    if !isSaved, headphones[id] == nil { headphones[id] = headphone }
  }
}
