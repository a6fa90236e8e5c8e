internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import EventLoop
internal import HeadphoneProtocols

extension VirtualHeadphone {
  /// Connects the BR/EDR side to the phone, or disconnects it.
  public func setSounding(_ isSounding: Bool) {
    self.isSounding = isSounding
    if !isSounding { closeStream() }
  }

  /// Ends the stream, but not the audio link.
  public func closeStream() {
    stream?.bearer.close(.peer)
    stream = nil
  }

  /// Changes the values that the headphone reports on its Fast Pair stream.
  public func become(_ change: @Sendable (inout VirtualFastPair) -> Void) {
    guard case .fastPair(var reported) = family else { return }
    change(&reported)
    family = .fastPair(reported)
  }

  /// Sends any bytes on the stream, in one write.
  public func say(_ bytes: [UInt8]) { try? stream?.bearer.post(bytes[...]) }

  func openStream(of service: BluetoothUUID) throws(RadioError) -> SocketBearer? {
    guard isSounding, service == FastPairMessage.service, case .fastPair(let reported) = family
    else {
      return nil
    }
    let isOpen = stream?.phone.withDescriptor { _ in true } ?? false
    guard !isOpen else { throw .busy("the stream is open") }
    let (phone, own): (SocketBearer, SocketBearer)
    do throws(SystemCallError) {
      let (first, second) = try SocketBearer.packetPair()
      phone = try SocketBearer(descriptor: first, loop: loop, channel: .serial(service))
      own = try SocketBearer(descriptor: second, loop: loop)
    } catch {
      throw .cancelled
    }
    stream = Stream(bearer: own, phone: phone)
    Task { await converse(on: own) }
    // Sent in one write, because the pieces of a stream are not messages.
    say(reported.greeting.flatMap { $0.encoded() })
    return phone
  }

  private func converse(on own: SocketBearer) async {
    while let value = try? await own.receive() {
      guard case .fastPair(var reported) = family else { return }
      let responses = reported.respond(to: value)
      family = .fastPair(reported)
      for response in responses { try? own.post(response.encoded()[...]) }
    }
    own.close(.localHost)
  }
}
