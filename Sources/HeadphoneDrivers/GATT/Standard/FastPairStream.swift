internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import HeadphoneProtocols

/// Fast Pair's message stream, used for the battery of each part and for ringing.
///
/// The stream is a channel on the BR/EDR side. Nothing is connected for it: it is used only while
/// the headphone's audio is connected to this computer. A failure only costs the stream.
actor FastPairStream {
  struct State: Sendable {
    var received: FastPairProtocol?
    var missing: String?
  }

  /// The delay after a new audio link before the stream is opened, as setting up audio comes first.
  private static let settling: Duration = .seconds(2)

  private nonisolated let client: GATTClient
  private let audioSide: AudioDeviceInfo?
  private let model: UInt32?
  private let clock: any Clock<Duration>
  private let emitter: EventEmitter
  private let changed: @Sendable (State) async -> Void
  private var state = State()
  private var driver: ProtocolDriver?
  private var bearer: (any Bearer)?
  private var number = 0
  private var isOpening = false
  private var isClosed = false
  private var watch: Task<Void, Never>?

  /// Creates a closed stream.
  ///
  /// - Parameters:
  ///   - model: the model number in the Fast Pair service, or nil if there is none.
  ///   - changed: called with the state after each change.
  init(
    beside client: GATTClient, audioSide: AudioDeviceInfo?, model: UInt32?,
    clock: any Clock<Duration>, emitter: EventEmitter,
    changed: @escaping @Sendable (State) async -> Void
  ) {
    self.client = client
    self.audioSide = audioSide
    self.model = model
    self.clock = clock
    self.emitter = emitter
    self.changed = changed
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { client.unownedExecutor }

  /// Opens the stream unless it is open; its first values are known when this returns.
  func open() async {
    guard driver == nil, !isOpening, !isClosed else { return }
    isOpening = true
    do throws(RadioError) {
      if let audioSide {
        if let bearer = try await audioSide.open(FastPairMessage.service) {
          await receive(bearer)
        } else {
          state.missing = Self.missing("its sound is not connected here")
        }
      } else {
        state.missing = Self.missing("the address of its audio side is not known")
      }
    } catch {
      let why = if case .busy = error { "another program holds it" } else { error.description }
      drop(because: why)
    }
    isOpening = false
    await changed(state)
  }

  /// Opens the stream each time the audio link comes up, also after a failure at the start.
  func follow() {
    guard let audioSide, watch == nil, !isClosed else { return }
    watch = Task { [clock] in
      for await _ in audioSide.arrivals() where driver == nil {
        try? await clock.sleep(for: Self.settling)
        guard !Task.isCancelled else { return }
        await open()
      }
    }
  }

  /// Makes the buds ring, or silences them; throws `closed` if the stream has ended.
  func find(_ sides: Sides, isOn: Bool) async throws(HeadphoneError) {
    guard let driver else { throw .closed(BearerClosed(.localHost)) }
    try await driver.perform(.find(sides, isOn: isOn))
  }

  func close() {
    isClosed = true
    watch?.cancel()
    closeChannel()
  }

  private func receive(_ bearer: any Bearer) async {
    guard !isClosed else { return bearer.close(.user) }
    number += 1
    let driver = ProtocolDriver(
      FastPairProtocol(of: model), on: .bearer(bearer), clock: clock, emitter: emitter,
      hasChanged: { [weak self, number] in Task { await self?.learn(from: number) } },
      hasEnded: { [weak self, number] _ in Task { await self?.lose(number) } })
    (self.driver, self.bearer) = (driver, bearer)
    try? await driver.listen()
    // If the channel ends meanwhile, that is reported separately.
    try? await driver.readAll()
    if self.driver === driver { await adopt(driver) }
  }

  private func learn(from number: Int) async {
    guard let driver, self.number == number, !isOpening else { return }
    await adopt(driver)
    await changed(state)
  }

  private func adopt(_ driver: ProtocolDriver) async {
    guard let values = await driver.values as? FastPairProtocol, values.isRecognised else {
      return drop(because: "it is of another model")
    }
    state.received = values
  }

  private func lose(_ number: Int) async {
    guard driver != nil, self.number == number, !isClosed else { return }
    drop(because: "it has ended")
    await changed(state)
  }

  private func drop(because why: String) {
    closeChannel()
    state.missing = Self.missing(why)
    emitter.report(.noted("Fast Pair's message stream: \(why)"))
  }

  private func closeChannel() {
    bearer?.close(.user)
    (driver, bearer, state.received) = (nil, nil, nil)
  }

  private static func missing(_ why: String) -> String {
    "battery of each part, find by side: Fast Pair's message stream: \(why)"
  }
}
