internal import BluetoothCodec
package import HeadphoneProtocols
package import VirtualHeadphones

/// A whole update in simulated time: the app's side, the link model and the headphone.
///
/// It has no descriptors, tasks or clock. ``fault`` is the failure to simulate; the rest follows
/// from the parameters.
package struct UpdateSimulation: Sendable {
  /// A failure that occurs once, after a number of values has reached the headphone.
  package struct Mishap: Hashable, Sendable {
    /// The kind of failure.
    package enum Kind: Hashable, Sendable {
      /// The link ends; the headphone stays on.
      case linkLoss
      /// The headphone loses power for a moment.
      case powerCut
    }

    package var kind: Kind
    /// The number of values on FFF3 and FFF5, counted from 0, at which the failure occurs.
    package var value: Int
    /// Whether the headphone still receives that value, and only its response is lost.
    package var isTaken: Bool

    package init(_ kind: Kind, at value: Int, isTaken: Bool) {
      self.kind = kind
      self.value = value
      self.isTaken = isTaken
    }
  }

  /// The errors of acknowledgements in transit.
  package enum Acknowledging: Hashable, Sendable {
    case properly
    /// One in this number is lost.
    case losing(every: Int)
    case doubling
    /// Every second one arrives after the next.
    case swapping
    /// Acknowledgements claim this many more bytes than have arrived.
    case claiming(Int)
    case never
  }

  /// The reason why a simulation has ended before the update.
  package enum Failure: Error, Hashable, Sendable {
    /// The simulation took longer than an hour, or repeated at one moment without end.
    case endless
  }

  /// The maximum number of events while no time passes.
  private static let mostRounds = 10_000

  /// The failure to simulate, or nil for none.
  package var fault: Mishap?
  package var acknowledging = Acknowledging.properly
  /// Whether the headphone has FFF5.
  package var hasDataCharacteristic = true
  /// The longest value in bytes that fits one write: ATT_MTU - 3.
  package var longestValue = 182
  /// Whether the phone's controller reports the link's packet length.
  package var reportsPacketLength = true
  /// The known batteries before the update, or empty if unknown.
  package var batteries: [Part: Battery] = [:]
  /// The time between the end of a link and the next one.
  package var reconnection: Duration = .seconds(1)

  /// The headphone's side, including its flash.
  package private(set) var headphone: FirmwareReceiver
  package private(set) var update: FirmwareUpdate
  package private(set) var link: LinkModel
  /// The simulated time since the start.
  package private(set) var now: Duration = .zero
  /// The time at which the first frame was sent, or nil before that.
  package private(set) var firstFrame: Duration?
  /// The time at which the last byte of the image arrived, or nil before that.
  package private(set) var lastByte: Duration?
  /// The number of values that have reached the headphone.
  package private(set) var values = 0
  /// The outcome of the update, or nil before its end.
  package private(set) var outcome: FirmwareOutcome?
  /// The maximum number of values that waited in the phone's buffer.
  package var longestQueue: Int { link.longestQueue }

  private var engine = CommandEngine()
  private var channel = EventChannel()
  private var server = CommandServer()
  private var asked: [CommandEngine.Ticket: FirmwareRequest] = [:]
  private var isLinked = false
  private var nextLink: Duration? = .zero
  private var acknowledgements = 0
  private var heldBack: Bytes?

  /// Creates an update that has not begun; ``run()`` runs it to its end.
  package init(
    _ image: FirmwareImage, to headphone: FirmwareReceiver, over link: LinkModel.Parameters
  ) {
    self.headphone = headphone
    self.link = LinkModel(link)
    update = FirmwareUpdate(image)
  }

  /// The time from the first frame to the arrival of the last byte.
  package var transferTime: Duration? {
    guard let firstFrame, let lastByte else { return nil }
    return lastByte - firstFrame
  }

  /// The transfer time relative to the shortest possible one over the same link at that time.
  package var shareOfLimit: Double? {
    guard let firstFrame, let transferTime else { return nil }
    let limit = link.parameters.limit(
      bytes: update.image.payload.count, longestValue: longestValue, from: firstFrame)
    return transferTime / limit
  }

  /// Runs the simulation until the update has ended.
  package mutating func run() throws(Failure) -> FirmwareOutcome {
    var rounds = 0
    while outcome == nil {
      guard let next = nextMoment, next < .seconds(3600) else { throw .endless }
      rounds = next > now ? 0 : rounds + 1
      guard rounds < Self.mostRounds else { throw .endless }
      now = max(now, next)
      if let nextLink, nextLink <= now { connect() }
      if isLinked {
        while let exchange = link.nextExchange, exchange <= now { exchangeOnce() }
        follow(engine.elapse(to: now))
      }
      let due = headphone.elapse(to: now)
      report(due.events)
      if due.mustRestart { restart() }
      follow(update.elapse(to: now))
      pump()
    }
    return outcome ?? .failed(.noProgress)
  }

  private var nextMoment: Duration? {
    let ofLink = isLinked ? [link.nextExchange, engine.nextDeadline] : []
    return ([nextLink, headphone.nextDeadline, update.nextDeadline] + ofLink).compactMap { $0 }
      .min()
  }

  // MARK: The link

  private mutating func connect() {
    nextLink = nil
    isLinked = true
    engine = CommandEngine()
    channel = EventChannel()
    server = CommandServer()
    asked = [:]
    heldBack = nil
    link.breakOff()
    follow(
      update.linkReady(
        FirmwareUpdate.Link(
          longestValue: longestValue, hasDataCharacteristic: hasDataCharacteristic,
          packetLength: reportsPacketLength ? link.parameters.packetLength : nil,
          revision: headphone.running.version), at: now))
  }

  private mutating func disconnect() {
    guard isLinked else { return }
    isLinked = false
    link.breakOff()
    headphone.disconnect()
    follow(update.linkLost(at: now))
  }

  private mutating func restart() {
    headphone.restart(at: now)
    disconnect()
  }

  private mutating func exchangeOnce() {
    for parcel in link.exchange() {
      guard isLinked else { return }
      if parcel.kind == .event { receive(parcel.value) } else { reach(parcel) }
    }
    pump()
  }

  // MARK: The headphone's side

  private mutating func reach(_ parcel: LinkModel.Parcel) {
    defer { values += 1 }
    let strikes = fault?.value == values
    guard !strikes || fault?.isTaken == true else { return strike() }
    if parcel.kind == .data {
      report(headphone.receive(parcel.value, at: now))
    } else {
      for item in server.receive(parcel.value) { serve(item) }
    }
    if lastByte == nil, headphone.hasWholeImage { lastByte = now }
    if strikes { strike() }
  }

  private mutating func strike() {
    if fault?.kind == .powerCut { headphone.restart(at: now) }
    disconnect()
  }

  private mutating func serve(_ item: CommandServer.Item) {
    switch item {
    case .repeated(let packets): push(packets)
    case .alreadyAtWork, .garbage: break
    case .command(let command):
      guard let request = try? FirmwareRequest(command.id, payload: command.payload) else {
        return push(server.respond(to: command, .refused(.badPayload)))
      }
      let outcome = headphone.perform(request, batteries: batteries, at: now)
      push(server.respond(to: command, outcome))
      report(outcome.events)
      if outcome.ending != nil { restart() }
    }
  }

  private mutating func push(_ packets: [HeadphonePacket]) {
    for packet in packets { link.push(packet.encoded()[...], at: now) }
  }

  private mutating func report(_ events: [WireEvent]) {
    for event in events where isLinked {
      guard case .firmwareAcknowledged(let acknowledgement) = event else {
        link.push(event.encoded()[...], at: now)
        continue
      }
      report(acknowledgement)
    }
  }

  private mutating func report(_ acknowledgement: FirmwareAcknowledgement) {
    acknowledgements += 1
    var reported = acknowledgement
    if case .claiming(let more) = acknowledging { reported.contiguousOffset += UInt32(more) }
    let value = WireEvent.firmwareAcknowledged(reported).encoded()[...]
    switch acknowledging {
    case .never: return
    case .losing(let every) where acknowledgements % every == 0: return
    case .doubling:
      link.push(value, at: now)
      link.push(value, at: now)
    case .swapping where heldBack == nil: heldBack = value
    default:
      link.push(value, at: now)
      if let late = heldBack.take() { link.push(late, at: now) }
    }
  }

  // MARK: The app's side

  private mutating func receive(_ value: Bytes) {
    for item in channel.receive(value) {
      switch item {
      case .packet(let packet): follow(engine.receive(packet, at: now))
      case .event(.firmwareAcknowledged(let acknowledgement)):
        follow(update.acknowledged(acknowledgement, at: now))
      case .event, .malformed: break
      }
    }
  }

  /// Writes frames while the buffer has room.
  private mutating func pump() {
    while isLinked, link.hasCapacity, let frame = update.nextFrame(at: now) {
      if firstFrame == nil { firstFrame = now }
      link.send(LinkModel.Parcel(.data, frame.encoded()[...]), at: now)
    }
  }

  private mutating func follow(_ effects: [FirmwareUpdate.Effect]) {
    for effect in effects {
      switch effect {
      case .submit(let request):
        guard isLinked else { continue }
        if case .data = request, firstFrame == nil { firstFrame = now }
        let (ticket, sending) = engine.submit(request.id, payload: request.payload[...], at: now)
        asked[ticket] = request
        follow(sending)
      case .reconnect:
        disconnect()
        if outcome == nil, nextLink == nil { nextLink = now + reconnection }
      case .finished(let result): outcome = result
      }
    }
  }

  private mutating func follow(_ effects: [CommandEngine.Effect]) {
    for effect in effects {
      switch effect {
      case .send(_, let packets, _):
        // A command waits for room rather than being dropped.
        for packet in packets {
          link.send(LinkModel.Parcel(.command, packet.encoded()[...]), at: now, isPatient: true)
        }
      case .finished(let ticket, let result):
        guard let request = asked.removeValue(forKey: ticket) else { continue }
        follow(update.receive(request, result, at: now))
      case .ignored, .malformed: break
      }
    }
  }
}
