internal import CPulse

extension PulseConnection {
  /// Asks for everything at once, so that the answers are of one moment.
  nonisolated(nonsending) func survey() async throws(AudioUnavailable) -> AudioSnapshot {
    var identity: (name: String, version: String, sink: String?)?
    var sinks: [AudioSink] = []
    var cardIndices: [UInt32?] = []
    var cardNames: [UInt32: String] = [:]
    var cards: [AudioCard] = []

    let server = PulseAnswer(on: context) { info in
      let info = info.load(as: pa_server_info.self)
      // PipeWire has a placeholder for "none".
      let sink = [text(info.default_sink_name)].first { !["", "@DEFAULT_SINK@"].contains($0) }
      identity = (text(info.server_name), text(info.server_version), sink)
    } start: { me in
      pa_context_get_server_info(
        context, { PulseAnswer.receive($0, $1, $1 == nil ? -1 : 0, $2) }, me)
    }
    let everyCard = PulseAnswer(on: context) { info in
      let info = info.load(as: pa_card_info.self)
      cardNames[info.index] = text(info.name)
      if let card = AudioCard(info) { cards.append(card) }
    } start: { me in
      pa_context_get_card_info_list(context, { PulseAnswer.receive($0, $1, $2, $3) }, me)
    }
    let everySink = PulseAnswer(on: context) { info in
      let info = info.load(as: pa_sink_info.self)
      sinks.append(AudioSink(info))
      cardIndices.append(info.card == CPulse_INVALID_INDEX ? nil : info.card)
    } start: { me in
      pa_context_get_sink_info_list(context, { PulseAnswer.receive($0, $1, $2, $3) }, me)
    }

    for answer in [server, everyCard, everySink] {
      if let code = await answer.end() { throw AudioUnavailable(code, hasRun: true) }
    }
    guard let identity else { throw .failed("the server does not say who it is") }
    for position in cards.indices
    where !identity.name.contains("PipeWire") && cards[position].activeKind == .a2dp {
      (cards[position].codecs, cards[position].activeCodec) = await codecs(of: cards[position].name)
    }
    for (position, card) in cardIndices.enumerated() {
      sinks[position].card = card.flatMap { cardNames[$0] }
    }
    return AudioSnapshot(
      serverName: identity.name, serverVersion: identity.version, defaultSink: identity.sink,
      sinks: sinks, cards: cards)
  }
}
