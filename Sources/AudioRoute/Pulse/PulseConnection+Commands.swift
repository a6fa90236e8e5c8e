internal import CPulse

extension PulseConnection {
  /// Makes the sink the default, then moves the streams of applications to it.
  ///
  /// In this order both servers take a move to the default sink as "follow the default again", so
  /// that the streams are not pinned to the headphone for ever. Streams that cannot be moved are
  /// not an error.
  nonisolated(nonsending) func route(to sink: String) async throws(AudioError) {
    // PulseAudio accepts the name of a sink that does not exist as the default.
    _ = try await volume(of: sink)
    try await succeed(about: sink) { context, me in
      pulse.pa_context_set_default_sink(context, sink, PulseOperation.receiveSuccess, me)
    }
    let streams: [Playback]
    do throws(AudioUnavailable) { streams = try await playbacks() } catch {
      throw .unavailable(error)
    }
    // A stream may reject the move or have ended; the others are moved anyway.
    let moves = streams.map { stream in
      PulseOperation(on: context) { me in
        pulse.pa_context_move_sink_input_by_name(
          context, stream.index, sink, PulseOperation.receiveSuccess, me)
      }
    }
    for move in moves { _ = await move.end() }
  }

  /// Makes the source the default, then moves the programs that record, as `route(to:)` does.
  nonisolated(nonsending) func record(from source: String) async throws(AudioError) {
    let sources: [Recorded]
    let recordings: [Recording]
    do throws(AudioUnavailable) {
      (sources, recordings) = (try await inputs(), try await self.recordings())
    } catch {
      throw .unavailable(error)
    }
    guard sources.contains(where: { $0.source.name == source }) else { throw .notFound(source) }
    try await succeed(about: source) { context, me in
      pulse.pa_context_set_default_source(context, source, PulseOperation.receiveSuccess, me)
    }
    // A recording of an output's monitor stays. A meter may reject the move.
    let moves = recordings.filter { recording in
      sources.contains { $0.index == recording.source && $0.source.name != source }
    }.map { recording in
      PulseOperation(on: context) { me in
        pulse.pa_context_move_source_output_by_name(
          context, recording.index, source, PulseOperation.receiveSuccess, me)
      }
    }
    for move in moves { _ = await move.end() }
  }

  /// The volume up to which desktops amplify, in percent: `PA_VOLUME_UI_MAX`, 11 dB.
  private static let loudestVolume = 153

  nonisolated(nonsending) func setVolume(of sink: String, percent: Int) async throws(AudioError) {
    var volume = scaled(try await volume(of: sink), to: min(max(percent, 0), Self.loudestVolume))
    try await succeed(about: sink) { context, me in
      pulse.pa_context_set_sink_volume_by_name(
        context, sink, &volume, PulseOperation.receiveSuccess, me)
    }
  }

  nonisolated(nonsending) func setMute(of sink: String, isMuted: Bool) async throws(AudioError) {
    try await succeed(about: sink) { context, me in
      pulse.pa_context_set_sink_mute_by_name(
        context, sink, isMuted ? 1 : 0, PulseOperation.receiveSuccess, me)
    }
  }

  /// Suspends or resumes a sink, whose streams PulseAudio corks; PipeWire only reports success.
  nonisolated(nonsending) func setSuspended(
    _ sink: String, to isSuspended: Bool
  ) async throws(AudioError) {
    try await succeed(about: sink) { context, me in
      pulse.pa_context_suspend_sink_by_name(
        context, sink, isSuspended ? 1 : 0, PulseOperation.receiveSuccess, me)
    }
  }

  /// Switches a card's profile, or throws `notFound`, where PulseAudio reports "invalid argument".
  nonisolated(nonsending) func setProfile(
    of card: String, to profile: String
  ) async throws(AudioError) {
    guard try await profiles(of: card).contains(profile) else { throw .notFound(profile) }
    try await succeed(about: card) { context, me in
      pulse.pa_context_set_card_profile_by_name(
        context, card, profile, PulseOperation.receiveSuccess, me)
    }
  }

  nonisolated(nonsending) func setOffset(
    of card: String, port: String, milliseconds: Int
  ) async throws(AudioError) {
    try await succeed(about: card) { context, me in
      pulse.pa_context_set_port_latency_offset(
        context, card, port, Int64(milliseconds) * 1000, PulseOperation.receiveSuccess, me)
    }
  }

  private nonisolated(nonsending) func volume(of sink: String) async throws(AudioError)
    -> pa_cvolume
  {
    var volume: pa_cvolume?
    let operation = PulseOperation(on: context) {
      volume = $0.load(as: pa_sink_info.self).volume
    } start: {
      pulse.pa_context_get_sink_info_by_name(
        context, sink, { PulseOperation.receive($0, $1, $2, $3) }, $0)
    }
    if let code = await operation.end() { throw AudioError(code, about: sink) }
    guard let volume else { throw .notFound(sink) }
    return volume
  }

  private nonisolated(nonsending) func profiles(
    of card: String
  ) async throws(AudioError) -> Set<String> {
    var names: Set<String> = []
    let operation = PulseOperation(on: context) { info in
      let info = info.load(as: pa_card_info.self)
      for profile in UnsafeBufferPointer(start: info.profiles2, count: Int(info.n_profiles)) {
        names.insert(text(profile?.pointee.name))
      }
    } start: {
      pulse.pa_context_get_card_info_by_name(
        context, card, { PulseOperation.receive($0, $1, $2, $3) }, $0)
    }
    if let code = await operation.end() { throw AudioError(code, about: card) }
    return names
  }

  /// Sends a request that has no result, and throws its failure as one about `name`.
  private nonisolated(nonsending) func succeed(
    about name: String, start: (OpaquePointer, UnsafeMutableRawPointer) -> OpaquePointer?
  ) async throws(AudioError) {
    let operation = PulseOperation(on: context) { me in start(context, me) }
    if let code = await operation.end() { throw AudioError(code, about: name) }
  }
}
