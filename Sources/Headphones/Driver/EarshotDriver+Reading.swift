internal import BluetoothCodec
internal import GATT

/// The first values, and all of them again.
extension EarshotDriver {
  /// Asks the headphone for what it is and how it is; every value becomes an event.
  ///
  /// Commands cost no ATT request, so they go first; only what they do not tell is read.
  func readEverything(isStart: Bool) async throws(HeadphoneError) -> DeviceInformation {
    guard let map else { throw .notAHeadphone(missing: "control service") }
    if isStart { try await askCapabilities() }
    var reported = Told()
    if report != nil { reported = try await askState() }
    if let report, report.features.contains(.customEQ), !reported.bands { try await askCustomEQ() }
    known.beginReading()
    let values = try await read(map, reported, withInformation: isStart)
    receive(values, of: map)
    if isStart {
      let batteries = Set(known.batteries.keys).union(parts.values)
      capabilities = Capabilities(report, map, profile, batteries: batteries)
    }
    return profile.information.information { type in
      map.information[type].flatMap { values.values[$0.handle] }.map(textFromAir)
    }
  }

  // MARK: By commands

  /// A headphone that does not know the command has what its attributes show.
  private func askCapabilities() async throws(HeadphoneError) {
    do throws(HeadphoneError) {
      let data = try await send(.capabilities)
      report = decoded(data) { bytes throws(MalformedBytes) in
        try CapabilityReport(decoding: bytes)
      }
      engine.setWindow(Int(report?.window ?? 1))
    } catch {
      try tolerate(error)
    }
  }

  /// What the state told, so that it need not be read.
  struct Told {
    var anc = false
    var eq = false
    var bands = false
    var battery = false

    /// Battery services that know more than the event are read as well.
    fileprivate mutating func note(_ event: WireEvent, batteries: Int) {
      switch event {
      case .anc: anc = true
      case .eq(_, let bands):
        eq = true
        self.bands = bands != nil
      case .battery(let report):
        battery = report.batteries.values.count { $0.level != nil } >= max(1, batteries)
      default: break
      }
    }
  }

  private func askState() async throws(HeadphoneError) -> Told {
    var reported = Told()
    do throws(HeadphoneError) {
      for entry in StateReport(decoding: try await send(.state)).entries {
        switch entry {
        case .malformed(let error, let bytes): report(error, bytes)
        case .event(let event):
          report(known.receive(event))
          reported.note(event, batteries: map?.batteries.count ?? 0)
        }
      }
    } catch {
      try tolerate(error)
    }
    return reported
  }

  private func askCustomEQ() async throws(HeadphoneError) {
    do throws(HeadphoneError) {
      let data = try await send(.customEQ)
      let gains = decoded(data) { bytes throws(MalformedBytes) in
        try BandGains(decoding: bytes)
      }
      if let gains { report(known.received(bands: gains.gains)) }
    } catch {
      try tolerate(error)
    }
  }

  /// A refusal, or silence, takes away a convenience and nothing else.
  private func tolerate(_ error: HeadphoneError) throws(HeadphoneError) {
    switch error {
    case .refused, .noResponse: return
    default: throw error
    }
  }

  /// Nil, and told, where a response makes no sense.
  func decoded<Value>(
    _ bytes: Bytes, _ decode: (Bytes) throws(MalformedBytes) -> Value
  ) -> Value? {
    do throws(MalformedBytes) {
      return try decode(bytes)
    } catch {
      report(error, bytes)
      return nil
    }
  }
}
