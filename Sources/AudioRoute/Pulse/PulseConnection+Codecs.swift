internal import CPulse
internal import JSON

/// PulseAudio's messages to a Bluetooth card (since 15.0); PipeWire has a profile for each codec.
extension PulseConnection {
  /// More than any card has.
  private static let codecLimit = 64

  /// The codecs of the profile in use, and which of them is; none where the server does not tell, as
  /// while it switches.
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
    let (answer, _) = message("switch-codec", "\(JSON.string(codec))", to: card)
    if let code = await answer.end() { throw AudioError(code, about: codec) }
  }

  /// The answer to a message; nil: none that is understood.
  private nonisolated(nonsending) func ask(_ text: String, of card: String) async -> JSON? {
    let (answer, response) = message(text, nil, to: card)
    guard await answer.end() == nil else { return nil }
    return try? JSON(parsing: response().utf8)
  }

  private func message(
    _ text: String, _ parameters: String?, to card: String
  ) -> (PulseAnswer, () -> String) {
    var response = ""
    let answer = PulseAnswer(on: context) {
      response = String(cString: $0.assumingMemoryBound(to: CChar.self))
    } start: { me in
      pa_context_send_message_to_object(
        context, "/card/\(card)/bluez", text, parameters,
        { context, success, response, me in
          PulseAnswer.receive(
            context, response.map { UnsafePointer($0) }, success == 0 ? -1 : 0, me)
        }, me)
    }
    return (answer, { response })
  }
}
