internal import Bluetooth
internal import GATT

/// Asking for events, which costs a request and no time.
extension EarshotDriver {
  /// Asks for events; the first command need not wait for the answer.
  ///
  /// The headphone takes both in order, so its response to the command is told already. A bonded
  /// one is asked, too: there are those that keep the key and forget what was subscribed.
  ///
  /// - Returns: what becomes of it.
  func subscribe(
    to event: Characteristic
  ) async throws(HeadphoneError) -> Task<Result<Void, HeadphoneError>, Never> {
    let repetitions = await client.repetitions
    isSubscribing = true
    let answer = try await gatt { client throws(GATTError) in try await client.ask(for: event) }
    let task = Task { await finishSubscribing(await answer.value, after: repetitions) }
    // Where to ask is looked up first, so that a command now would come before it.
    if event.descriptors == nil { _ = await task.value }
    return task
  }

  private func finishSubscribing(
    _ answer: Result<Void, GATTError>, after repetitions: Int
  ) async -> Result<Void, HeadphoneError> {
    isSubscribing = false
    switch answer {
    case .success:
      // What was sent right behind the first attempt had no better luck than that.
      let isRepeated = await client.repetitions > repetitions
      execute(isRepeated ? engine.startOver(at: timeline.now()) : [])
      return .success(())
    case .failure(let error):
      execute(engine.fail(HeadphoneError(error)))
      return .failure(HeadphoneError(error))
    }
  }
}
