internal import BluetoothCodec
package import HeadphoneProtocols
package import VirtualHeadphones

/// A whole update in simulated time: the app's side, the link model and the headphone, with no
/// descriptor, task or clock in between.
///
/// What goes wrong is put into ``fault``; the rest follows from the parameters.
package struct UpdateSimulation: Sendable {
  /// Something that happens once, when so many values have reached the headphone.
  package struct Mishap: Hashable, Sendable {
    /// What happens to link or headphone.
    package enum Kind: Hashable, Sendable {
      /// The link ends; the headphone stays awake.
      case linkLoss
      /// The headphone's battery is out for a moment.
      case powerCut
    }

    /// What happens.
    package var kind: Kind
    /// Values on FFF3 and FFF5, counted from 0.
    package var value: Int
    /// Whether the headphone still takes that value, and only its answer is lost.
    package var isTaken: Bool

    package init(_ kind: Kind, at value: Int, isTaken: Bool) {
      self.kind = kind
      self.value = value
      self.isTaken = isTaken
    }
  }

  /// What happens to acknowledgements on their way.
  package enum Acknowledging: Hashable, Sendable {
    case properly
    /// Every so many is lost.
    case losing(every: Int)
    case doubling
    /// Each second one comes after the next.
    case swapping
    /// They claim this many bytes more than have arrived.
    case claiming(Int)
    case never
  }

  /// Why a simulation has ended without the update's own end.
  package enum Failure: Error, Hashable, Sendable {
    /// It went on for longer than an hour, or something fell due again and again at one moment.
    case endless
  }

  /// How often something may fall due while no time passes.
  private static let mostRounds = 10_000

  /// What goes wrong, once; nil: nothing.
  package var fault: Mishap?
  /// What happens to acknowledgements on their way.
  package var acknowledging = Acknowledging.properly
  /// Whether the headphone has FFF5.
  package var hasDataCharacteristic = true
  /// Bytes of the longest value that fits into one write: ATT_MTU - 3.
  package var longestValue = 182
  /// Whether the phone's controller reports the link's packet length.
  package var reportsPacketLength = true
  /// What is known of the batteries before the update; empty: nothing.
  package var batteries: [Part: Battery] = [:]
  /// Between the end of a link and the next one.
  package var reconnection: Duration = .seconds(1)

  /// The headphone's side, with its flash.
  package private(set) var headphone: FirmwareReceiver
  /// The app's side.
  package private(set) var update: FirmwareUpdate
  /// What is between the two.
  package private(set) var link: LinkModel
  /// Simulated time since the start.
  package private(set) var now: Duration = .zero
  /// When the first frame went out, and when the last byte of the image had arrived.
  package private(set) var firstFrame: Duration?
  /// When the last byte of the image had arrived; nil: it has not.
  package private(set) var lastByte: Duration?
  /// Values that the headphone's side of the link has delivered.
  package private(set) var values = 0
  /// How the update has ended; nil: it has not.
  package private(set) var outcome: FirmwareOutcome?
  /// The most values that have waited in the phone's buffer.
  package var longestQueue: Int { link.longestQueue }

  private var engine = CommandEngine()
  private var channel = EventChannel()
  private var server = CommandServer()
  private var asked: [CommandEngine.Ticket: FirmwareRequest] = [:]
  private var isLinked = false
  private var nextLink: Duration? = .zero
  private var acknowledgements = 0
  private var heldBack: Bytes?

  /// An update that has not begun; it runs to its end by ``run()``.
  package init(
    _ image: FirmwareImage, to headphone: FirmwareReceiver, over link: LinkModel.Parameters
  ) {
    self.headphone = headphone
    self.link = LinkModel(link)
    update = FirmwareUpdate(image)
  }

  /// From the first frame to the last byte's arrival.
  package var transferTime: Duration? {
    guard let firstFrame, let lastByte else { return nil }
    return lastByte - firstFrame
  }

  /// The transfer's time in parts of what nobody could beat over the same link at that moment.
  package var shareOfLimit: Double? {
    guard let firstFrame, let transferTime else { return nil }
    let limit = link.parameters.limit(
      bytes: update.image.payload.count, longestValue: longestValue, from: firstFrame)
    return transferTime / limit
  }

  /// Lets everything happen until the update has ended.
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

  /// Writes frames as long as the buffer has room.
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
