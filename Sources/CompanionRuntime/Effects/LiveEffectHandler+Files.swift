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
  ///
  /// Write coalescing: a sample waits some seconds for others, and the next wait begins when the write has ended. So a
  /// headphone that floods Earshot with charges does not keep the disk busy, and a slow disk has one write to do.
  func keep(_ sample: ChargeSample, of id: HeadphoneID, _ send: @escaping Send) {
    waitingCharges[id, default: BatteryHistory()].append(sample)
    reportChargeFailure = send
    guard !isSavingCharges else { return }
    isSavingCharges = true
    tasks.run { [weak self, clock] in
      // Cancelled at the end of the program, which saves what waits.
      while (try? await clock.sleep(for: Self.chargeDelay)) != nil, let self {
        saveCharges()
        await saving?.value
        guard waitingCharges.isEmpty else { continue }
        isSavingCharges = false
        return
      }
    }
  }

  /// The time that samples of a battery history wait for others: the most of it that a crash loses.
  static let chargeDelay = Duration.seconds(5)

  /// Begins to write the samples that wait.
  func saveCharges() {
    for (id, history) in waitingCharges {
      save(reportChargeFailure) { known throws(FileError) in
        try known.keep(history.samples, of: id)
      }
    }
    waitingCharges = [:]
  }

  /// Adds a discharge to the file of a headphone's discharges; a failure goes to the log.
  func keep(_ discharge: Discharge, of id: HeadphoneID, _ send: @escaping Send) {
    save(send) { known throws(FileError) in try known.keep(discharge, of: id) }
  }

  /// Saves a headphone; a failure goes to the log, and the program continues with what it has.
  func remember(_ headphone: KnownHeadphone, _ send: @escaping Send) {
    save(send) { known throws(FileError) in try known.remember(headphone) }
  }

  /// Saves a part of what is known of a headphone.
  func keep(
    _ part: KnownHeadphone.Part, of headphone: KnownHeadphone, _ send: @escaping Send
  ) {
    save(send) { known throws(FileError) in try known.keep(part, of: headphone) }
  }

  /// Continues connections and files of `newer` under the identity of `older`.
  func merge(_ newer: HeadphoneID, with older: HeadphoneID, _ send: @escaping Send) {
    links.merge(newer, with: older)
    waitingCharges[newer] = nil
    save(send) { known throws(FileError) in try known.forget(newer) }
  }

  /// Deletes the saved entry of a set's member; its keys stay.
  func drop(_ id: HeadphoneID, _ send: @escaping Send) {
    waitingCharges[id] = nil
    save(send) { known throws(FileError) in try known.forget(id) }
  }

  /// Deletes keys, registry entry and saved entry, and pauses an update.
  func forget(_ id: HeadphoneID, _ send: @escaping Send) {
    links.unpair(id, send: send)
    links.forget(id)
    firmware.pause(id)
    waitingCharges[id] = nil
    save(send) { known throws(FileError) in try known.forget(id) }
  }

  /// Changes the file of known headphones on the thread for files.
  ///
  /// Writes are serialised in the order of their effects, and `stop` waits for the last.
  private func save(
    _ send: @escaping Send,
    _ change: @escaping @Sendable (KnownHeadphones) throws(FileError) -> Void
  ) {
    let known = dependencies.known
    let previous = saving
    saving = Task {
      await previous?.value
      do throws(FileError) {
        try await FileIO.shared.run { () throws(FileError) in try change(known) }
        listFailure = nil
      } catch {
        listFailure = error
        send(.noted(.error, nil, "known headphones: \(error)"))
      }
    }
  }
}
