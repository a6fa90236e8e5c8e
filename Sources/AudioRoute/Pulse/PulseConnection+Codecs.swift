internal import CPulse
internal import JSON

/// The codec messages of PulseAudio's Bluetooth cards (since 15.0), which respond in JSON.
///
/// PipeWire has no such messages, but a card profile for each codec.
extension PulseConnection {
  private static let codecLimit = 64

  /// Returns the codecs of the active profile and the one in use, if the server responds.
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

  nonisolated(nonsending) func setCodec(of card: String, to codec: String) async throws(AudioError)
  {
    let (operation, _) = message("switch-codec", "\(JSON.string(codec))", to: card)
    if let code = await operation.end() { throw AudioError(code, about: codec) }
  }

  private nonisolated(nonsending) func ask(_ text: String, of card: String) async -> JSON? {
    let (operation, response) = message(text, nil, to: card)
    guard await operation.end() == nil else { return nil }
    return try? JSON(parsing: response().utf8)
  }

  /// Sends a message to "/card/NAME/bluez"; the closure returns the response after the end.
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
