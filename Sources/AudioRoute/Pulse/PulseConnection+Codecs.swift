internal import CPulse
internal import JSON

/// The codec messages of PulseAudio's Bluetooth cards (since 15.0), which answer in JSON.
///
/// PipeWire has no such messages: it has a card profile for each codec.
extension PulseConnection {
  /// The number of codecs that are taken over, well above that of any card.
  private static let codecLimit = 64

  /// The codecs of the active profile, and the name of the one in use.
  ///
  /// - Returns: nothing where the server does not answer, for example while it switches profiles.
  nonisolated(nonsending) func codecs(of card: String) async -> ([CardCodec], String?) {
    guard let list = await ask("list-codecs", of: card),
      let active = await ask("get-codec", of: card)
    else { return ([], nil) }
    let codecs = (list.elements ?? []).prefix(Self.codecLimit).compactMap { codec in
      codec["name"]?.text.map {
        CardCodec(name: $0, description: codec["description"]?.text ?? $0)
      }
    }
    return (codecs, codecs.isEmpty ? nil : active.text)
  }

  /// Switches the codec of the active profile.
  ///
  /// - Throws: ``AudioError``; ``AudioError/refused(_:)`` if the headphone rejects the codec.
  nonisolated(nonsending) func setCodec(of card: String, to codec: String) async throws(AudioError)
  {
    let (operation, _) = message("switch-codec", "\(JSON.string(codec))", to: card)
    if let code = await operation.end() { throw AudioError(code, about: codec) }
  }

  /// The JSON answer to a message; `nil` after an error, or for text that is not JSON.
  private nonisolated(nonsending) func ask(_ text: String, of card: String) async -> JSON? {
    let (operation, response) = message(text, nil, to: card)
    guard await operation.end() == nil else { return nil }
    return try? JSON(parsing: response().utf8)
  }

  /// Sends a message to the card's object "/card/NAME/bluez"; the closure has the answer once it
  /// ended.
  private func message(
    _ text: String, _ parameters: String?, to card: String
  ) -> (PulseOperation, () -> String) {
    var response = ""
    let operation = PulseOperation(on: context) {
      response = String(cString: $0.assumingMemoryBound(to: CChar.self))
    } start: { me in
      pulse.pa_context_send_message_to_object(
        context, "/card/\(card)/bluez", text, parameters,
        { context, success, response, me in
          PulseOperation.receive(
            context, response.map { UnsafePointer($0) }, success == 0 ? -1 : 0, me)
        }, me)
    }
    return (operation, { response })
  }
}
