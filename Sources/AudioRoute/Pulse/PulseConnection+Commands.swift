internal import CPulse

extension PulseConnection {
  /// Makes the sink the default first, then moves what plays.
  ///
  /// In this order both servers take a move to the default sink for "follow the default again",
  /// so that the streams are not pinned to the headphone for ever.
  nonisolated(nonsending) func route(to sink: String) async throws(AudioError) {
    // PulseAudio takes the name of a sink that does not exist.
    _ = try await volume(of: sink)
    try await succeed(about: sink) { context, me in
      pa_context_set_default_sink(context, sink, PulseAnswer.receiveSuccess, me)
    }
    // A stream may refuse to be moved, or be gone by now: the others are moved all the same.
    let moves = try await movableStreams().map { stream in
      PulseAnswer(on: context) { me in
        pa_context_move_sink_input_by_name(
          context, stream, sink, PulseAnswer.receiveSuccess, me)
      }
    }
    for move in moves { _ = await move.end() }
  }

  /// Sets the loudest channel, and keeps the balance.
  nonisolated(nonsending) func setVolume(of sink: String, percent: Int) async throws(AudioError) {
    var volume = scaled(try await volume(of: sink), to: min(max(percent, 0), 100))
    try await succeed(about: sink) { context, me in
      pa_context_set_sink_volume_by_name(context, sink, &volume, PulseAnswer.receiveSuccess, me)
    }
  }

  nonisolated(nonsending) func setMute(of sink: String, isMuted: Bool) async throws(AudioError) {
    try await succeed(about: sink) { context, me in
      pa_context_set_sink_mute_by_name(
        context, sink, isMuted ? 1 : 0, PulseAnswer.receiveSuccess, me)
    }
  }

  /// On PulseAudio what plays there stands still; PipeWire says yes and plays on.
  nonisolated(nonsending) func setSuspended(
    _ sink: String, to isSuspended: Bool
  ) async throws(AudioError) {
    try await succeed(about: sink) { context, me in
      pa_context_suspend_sink_by_name(
        context, sink, isSuspended ? 1 : 0, PulseAnswer.receiveSuccess, me)
    }
  }

  nonisolated(nonsending) func setProfile(
    of card: String, to profile: String
  ) async throws(AudioError) {
    guard try await profiles(of: card).contains(profile) else { throw .notFound(profile) }
    try await succeed(about: card) { context, me in
      pa_context_set_card_profile_by_name(
        context, card, profile, PulseAnswer.receiveSuccess, me)
    }
  }

  private nonisolated(nonsending) func volume(of sink: String) async throws(AudioError)
    -> pa_cvolume
  {
    var volume: pa_cvolume?
    let answer = PulseAnswer(on: context) {
      volume = $0.load(as: pa_sink_info.self).volume
    } start: {
      pa_context_get_sink_info_by_name(
        context, sink, { PulseAnswer.receive($0, $1, $2, $3) }, $0)
    }
    if let code = await answer.end() { throw AudioError(code, about: sink) }
    guard let volume else { throw .notFound(sink) }
    return volume
  }

  private nonisolated(nonsending) func profiles(
    of card: String
  ) async throws(AudioError) -> Set<String> {
    var names: Set<String> = []
    let answer = PulseAnswer(on: context) { info in
      let info = info.load(as: pa_card_info.self)
      for profile in UnsafeBufferPointer(start: info.profiles2, count: Int(info.n_profiles)) {
        names.insert(text(profile?.pointee.name))
      }
    } start: {
      pa_context_get_card_info_by_name(context, card, { PulseAnswer.receive($0, $1, $2, $3) }, $0)
    }
    if let code = await answer.end() { throw AudioError(code, about: card) }
    return names
  }

  /// The streams of applications; those of the servers' own filters and loops stay in their place.
  private nonisolated(nonsending) func movableStreams() async throws(AudioError) -> [UInt32] {
    var streams: [UInt32] = []
    let answer = PulseAnswer(on: context) { info in
      let info = info.load(as: pa_sink_input_info.self)
      let isOfPulseModule = info.client == CPulse_INVALID_INDEX
      let isOfPipeWireFilter = pa_proplist_contains(info.proplist, "node.link-group") == 1
      if !isOfPulseModule, !isOfPipeWireFilter { streams.append(info.index) }
    } start: {
      pa_context_get_sink_input_info_list(
        context, { PulseAnswer.receive($0, $1, $2, $3) }, $0)
    }
    if let code = await answer.end() { throw AudioError(code, about: "streams") }
    return streams
  }

  private nonisolated(nonsending) func succeed(
    about name: String, start: (OpaquePointer, UnsafeMutableRawPointer) -> OpaquePointer?
  ) async throws(AudioError) {
    let answer = PulseAnswer(on: context) { me in start(context, me) }
    if let code = await answer.end() { throw AudioError(code, about: name) }
  }
}
