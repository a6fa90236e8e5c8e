internal import BluetoothCodec

extension GATTClient {
  /// Takes the value of a Service Changed indication: the range that is not what it was.
  func serviceChanged(_ value: Bytes) {
    var reader = ByteReader(value, of: "Service Changed")
    let range: ATTHandleRange
    do throws(MalformedBytes) {
      range = ATTHandleRange(start: max(1, try reader.uint16()), end: try reader.uint16())
      guard range.start <= range.end else {
        throw reader.malformed(.badValue(UInt64(range.end)), at: 2)
      }
    } catch {
      options.report?(.malformed(error, pdu: value))
      return
    }
    databaseState.isComplete = false
    databaseState.staleRanges.append(range)
    guard !databaseState.isRediscovering else { return }
    databaseState.isRediscovering = true
    Task { await rediscoverStaleRanges() }
  }

  private func rediscoverStaleRanges() async {
    while let range = databaseState.staleRanges.popFirst() {
      do throws(GATTError) {
        let hash = databaseState.hash == nil ? nil : try await readDatabaseHash(.withinDiscovery)
        try await rediscover(range)
        if databaseState.staleRanges.isEmpty, !databaseState.hasGap {
          databaseState.hash = hash
          databaseState.isComplete = true
        }
      } catch {
        databaseState.hasGap = true
        options.report?(.rediscoveryFailed(error))
      }
      announceServiceChange(range)
    }
    databaseState.isRediscovering = false
  }

  /// Discovers one range again, and moves what was subscribed there.
  private func rediscover(_ range: ATTHandleRange) async throws(GATTError) {
    await beginDiscovery()
    defer { discoveries.leave() }
    let before = databaseState.database
    var found = Database(services: try await services(in: range, .withinDiscovery))
    if !found.services.isEmpty {
      found.place(try await characteristics(in: range, .withinDiscovery))
    }
    databaseState.database.replace(range, by: found.services)
    await moveSubscriptions(in: range, from: before)
  }

  /// Values keep coming where the characteristic still is, wherever its handle is now.
  private func moveSubscriptions(in range: ATTHandleRange, from before: Database) async {
    // All are taken out before one is put back: the new handle of one may be another's old one.
    var reported: [(characteristic: Characteristic, queues: [ValueQueue])] = []
    for (handle, queues, wasEnabled) in subscribers.takeAll(in: range) {
      guard let path = before.path(of: handle),
        let characteristic = databaseState.database.characteristic(at: path)
      else {
        for queue in queues { queue.end(.servicesChanged) }
        continue
      }
      subscribers.queues[characteristic.handle, default: []] += queues
      if wasEnabled { reported.append((characteristic, queues)) }
    }
    for (characteristic, queues) in reported {
      do throws(GATTError) {
        try await enable(characteristic)
      } catch {
        for queue in queues {
          queue.end(error)
          _ = subscribers.remove(queue)
        }
      }
    }
  }

  // MARK: Database Out Of Sync

  /// The server refused a request because its database is not what this client may know.
  ///
  /// The request may be repeated where its handles mean the same as before; else `error` stands.
  func resynchronise(
    for request: ATTRequest, _ error: ATTErrorResponse
  ) async throws(GATTError) {
    let before = databaseState.database
    let task =
      databaseState.resynchronisation
      ?? Task {
        do throws(GATTError) {
          try await resynchronise()
          return .success(())
        } catch {
          return .failure(error)
        }
      }
    databaseState.resynchronisation = task
    let outcome = await task.value
    databaseState.resynchronisation = nil
    try outcome.get()
    let after = databaseState.database
    guard let handles = request.handles,
      handles.allSatisfy({ before.path(of: $0) == after.path(of: $0) })
    else { throw .att(error) }
  }

  private func resynchronise() async throws(GATTError) {
    let hash = try await readDatabaseHash(.withinDiscovery)
    if let hash, hash == databaseState.hash { return }
    databaseState.isComplete = false
    try await rediscover(.all)
    databaseState.hasGap = false
    databaseState.hash = hash
    databaseState.isComplete = true
    announceServiceChange(.all)
  }
}

extension ATTRequest {
  /// The attributes that a request names one by one; nil: it means some without naming them.
  fileprivate var handles: [UInt16]? {
    switch self {
    case .read(let handle), .readBlob(let handle, _), .write(let handle, _),
      .prepareWrite(let handle, _, _):
      [handle]
    case .readMultiple(let handles), .readMultipleVariable(let handles): handles
    case .exchangeMTU, .findInformation, .findByTypeValue, .readByType, .readByGroupType: []
    case .executeWrite: nil
    }
  }
}
