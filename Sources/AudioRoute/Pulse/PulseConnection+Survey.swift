internal import CPulse

extension PulseConnection {
  /// Queries server, cards and sinks in one burst, so that they describe one moment, then streams.
  nonisolated(nonsending) func survey() async throws(AudioUnavailable) -> AudioSnapshot {
    var identity: (name: String, version: String, sink: String?, source: String?)?
    var sinks: [AudioSink] = []
    var cardIndices: [UInt32?] = []
    var cardNames: [UInt32: String] = [:]
    var cards: [AudioCard] = []

    let server = PulseOperation(on: context) { info in
      let info = info.load(as: pa_server_info.self)
      // PipeWire has placeholders for "none".
      let names = [info.default_sink_name, info.default_source_name].map { name in
        [text(name)].first { !["", "@DEFAULT_SINK@", "@DEFAULT_SOURCE@"].contains($0) }
      }
      identity = (text(info.server_name), text(info.server_version), names[0], names[1])
    } start: { me in
      pulse.pa_context_get_server_info(
        context, { PulseOperation.receive($0, $1, $1 == nil ? -1 : 0, $2) }, me)
    }
    let everyCard = PulseOperation(on: context) { info in
      let info = info.load(as: pa_card_info.self)
      cardNames[info.index] = text(info.name)
      if let card = AudioCard(info) { cards.append(card) }
    } start: { me in
      pulse.pa_context_get_card_info_list(context, { PulseOperation.receive($0, $1, $2, $3) }, me)
    }
    let everySink = PulseOperation(on: context) { info in
      let info = info.load(as: pa_sink_info.self)
      sinks.append(AudioSink(info))
      cardIndices.append(info.card == CPulse_INVALID_INDEX ? nil : info.card)
    } start: { me in
      pulse.pa_context_get_sink_info_list(context, { PulseOperation.receive($0, $1, $2, $3) }, me)
    }

    for operation in [server, everyCard, everySink] {
      if let code = await operation.end() { throw AudioUnavailable(code, hasRun: true) }
    }
    let sources = try await inputs()
    let recordings = try await self.recordings()
    let playbacks = try await self.playbacks()
    guard let identity else { throw .failed("the sound server does not identify itself") }
    for position in cards.indices
    where !identity.name.contains("PipeWire") && cards[position].activeKind == .a2dp {
      (cards[position].codecs, cards[position].activeCodec) = await codecs(of: cards[position].name)
    }
    for (position, card) in cardIndices.enumerated() {
      sinks[position].card = card.flatMap { cardNames[$0] }
    }
    return AudioSnapshot(
      serverName: identity.name, serverVersion: identity.version, defaultSink: identity.sink,
      sinks: sinks, cards: cards, defaultSource: identity.source,
      sources: sources.map { input in
        var source = input.source
        source.card = input.card.flatMap { cardNames[$0] }
        source.programs = recordings.filter { $0.source == input.index && !$0.isPaused }
          .map(\.program).removingDuplicates()
        return source
      }, playing: playbacks.filter { !$0.isPaused }.map(\.program).removingDuplicates())
  }

  struct Recorded {
    var index: UInt32
    var source: AudioSource
    var card: UInt32?
  }

  struct Recording {
    var index: UInt32
    var source: UInt32
    var program: String
    var isPaused: Bool
  }

  struct Playback {
    var index: UInt32
    var program: AudioProgram
    var isPaused: Bool
  }

  /// Returns the streams of programs, without those of PulseAudio's modules and PipeWire's filters.
  nonisolated(nonsending) func playbacks() async throws(AudioUnavailable) -> [Playback] {
    var playbacks: [Playback] = []
    let operation = PulseOperation(on: context) { info in
      let info = info.load(as: pa_sink_input_info.self)
      let isOfPulseModule = info.client == CPulse_INVALID_INDEX
      let isOfPipeWireFilter = pulse.pa_proplist_contains(info.proplist, "node.link-group") == 1
      guard !isOfPulseModule, !isOfPipeWireFilter else { return }
      playbacks.append(
        Playback(
          index: info.index,
          program: AudioProgram(
            name: program(of: info.proplist) ?? limited(text(info.name)),
            binary: property("application.process.binary", of: info.proplist)),
          isPaused: info.corked != 0))
    } start: { me in
      pulse.pa_context_get_sink_input_info_list(
        context, { PulseOperation.receive($0, $1, $2, $3) }, me)
    }
    if let code = await operation.end() { throw AudioUnavailable(code, hasRun: true) }
    return playbacks
  }

  nonisolated(nonsending) func inputs() async throws(AudioUnavailable) -> [Recorded] {
    var sources: [Recorded] = []
    let operation = PulseOperation(on: context) { info in
      let info = info.load(as: pa_source_info.self)
      guard info.monitor_of_sink == CPulse_INVALID_INDEX else { return }
      sources.append(
        Recorded(
          index: info.index, source: AudioSource(info),
          card: info.card == CPulse_INVALID_INDEX ? nil : info.card))
    } start: { me in
      pulse.pa_context_get_source_info_list(context, { PulseOperation.receive($0, $1, $2, $3) }, me)
    }
    if let code = await operation.end() { throw AudioUnavailable(code, hasRun: true) }
    return sources
  }

  nonisolated(nonsending) func recordings() async throws(AudioUnavailable) -> [Recording] {
    var recordings: [Recording] = []
    let operation = PulseOperation(on: context) { info in
      let info = info.load(as: pa_source_output_info.self)
      // A mixer's level meter does not record anything.
      guard text(info.resample_method) != "peaks" else { return }
      recordings.append(
        Recording(
          index: info.index, source: info.source,
          program: program(of: info.proplist) ?? limited(text(info.name)),
          isPaused: info.corked != 0))
    } start: { me in
      pulse.pa_context_get_source_output_info_list(
        context, { PulseOperation.receive($0, $1, $2, $3) }, me)
    }
    if let code = await operation.end() { throw AudioUnavailable(code, hasRun: true) }
    return recordings
  }
}

/// Returns the name of the program that a stream's property list has, or nil if it has none.
private func program(of list: OpaquePointer?) -> String? {
  let keys = ["application.name", "application.process.binary", "node.name"]
  return keys.lazy.compactMap { property($0, of: list) }.first
}

private func property(_ key: String, of list: OpaquePointer?) -> String? {
  list.flatMap { pulse.pa_proplist_gets($0, key) }.map { limited(String(cString: $0)) }
}

private func limited(_ name: String) -> String { String(name.prefix(64)) }

extension Array where Element: Equatable {
  fileprivate func removingDuplicates() -> [Element] {
    enumerated().filter { firstIndex(of: $1) == $0 }.map(\.element)
  }
}
