internal import Bluetooth
internal import BluetoothCodec
internal import GATT

/// Fast Pair's message stream beside the standard services: battery of each part, and ringing.
///
/// It is on the audio side, and nothing there is called for it: where the sound is not connected
/// here, the headphone is as it is without.
extension FamilyDriver {
  /// How long an audio link that is new is left to those who set it up: its sound comes first.
  private static let settling: Duration = .seconds(2)

  /// Whether there is anything to look for: a headphone with a language of its own tells more by
  /// that.
  private var mayHaveStream: Bool { language == nil && standard.hasFastPair }

  /// Opens it where it is missing; what it has told is there on return.
  ///
  /// What goes wrong is told, and costs nothing but the stream.
  func openStream() async {
    guard mayHaveStream, stream == nil, !isOpeningStream, ended == nil else { return }
    guard let audioSide else {
      return withoutStream = Self.withoutStream("the address of its audio side is not known")
    }
    isOpeningStream = true
    defer { isOpeningStream = false }
    do throws(RadioError) {
      guard let bearer = try await audioSide.open(FastPairMessage.service) else {
        return withoutStream = Self.withoutStream("its sound is not connected here")
      }
      await take(bearer)
    } catch {
      let why = if case .busy = error { "another program holds it" } else { error.description }
      closeStream(because: why)
    }
  }

  private static func withoutStream(_ why: String) -> String {
    "battery of each part, find by side: Fast Pair's message stream: \(why)"
  }

  private func take(_ bearer: any Bearer) async {
    guard ended == nil else { return bearer.close(.user) }
    streamNumber += 1
    let stream = ProtocolChannel(
      FastPairProtocol(of: fastPairModel), on: bearer, clock: clock
    ) { [emitter] event in
      emitter.report(event)
    } reportChange: { [weak self, streamNumber] language in
      Task { await self?.learn(language, from: streamNumber) }
    } reportEnd: { [weak self, streamNumber] _ in
      Task { await self?.loseStream(streamNumber) }
    }
    self.stream = stream
    await stream.listen()
    // An end meanwhile is told for itself.
    try? await stream.receiveRemaining()
    let received = await stream.language
    if self.stream === stream { adopt(received) }
  }

  private func learn(_ language: FastPairProtocol, from number: Int) async {
    guard stream != nil, streamNumber == number, !isOpeningStream else { return }
    adopt(language)
    await describeAgain()
  }

  private func adopt(_ language: FastPairProtocol) {
    guard language.isAnothers else { return streamed = language }
    closeStream(because: "it is of another model")
  }

  private func loseStream(_ number: Int) async {
    guard stream != nil, streamNumber == number, ended == nil else { return }
    closeStream(because: "it has ended")
    // Else the last charge of one part would be the whole headphone's.
    _ = try? await readStandard(withInformation: false)
    await describeAgain()
  }

  private func closeStream(because why: String) {
    closeStream()
    withoutStream = Self.withoutStream(why)
    report([.noted("Fast Pair's message stream: \(why)")])
  }

  /// Opens it each time the audio link has come up, and once more where it failed at the start.
  func followAudioSide() async {
    guard mayHaveStream, let audioSide else { return }
    for await _ in audioSide.arrivals() {
      guard stream == nil else { continue }
      try? await clock.sleep(for: Self.settling)
      guard !Task.isCancelled, ended == nil else { return }
      await openStreamAgain()
    }
  }

  /// Opens it where it is missing, and tells what has come of that.
  func openStreamAgain() async {
    let before = withoutStream
    await openStream()
    if streamed != nil || withoutStream != before { await describeAgain() }
  }

  /// Tells what the headphone has by now, once that was told at all.
  private func describeAgain() async {
    if isDescribed { report([.described(await description())]) }
  }

  func closeStream() {
    stream?.bearer.close(.user)
    (stream, streamed) = (nil, nil)
  }
}
