internal import BluetoothAttributes
internal import BluetoothCodec
internal import HeadphoneProtocols

/// The headphone's own volume, controlled by the Volume Control service (VCS 1.0).
actor VolumeControl: ValueFollower {
  nonisolated let client: GATTClient
  var deliveries: [ValueDelivery] = []
  private(set) var isOver = false
  private let channel: VolumeChannel
  private let emitter: EventEmitter
  private var state: VolumeState?

  init(_ channel: VolumeChannel, of client: GATTClient, emitter: EventEmitter) {
    self.channel = channel
    self.client = client
    self.emitter = emitter
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { client.unownedExecutor }

  func refresh() async throws(HeadphoneError) {
    try await read(isRefresh: true)
  }

  func follow() async throws(HeadphoneError) {
    endDeliveries()
    try await followIfAllowed(channel.state) { volume, value in volume.receive(value) }
  }

  func end() {
    isOver = true
    endDeliveries()
  }

  func set(_ requested: HeadphoneVolume) async throws(HeadphoneError) {
    if state == nil { try await read() }
    try await send { $0.volume.level == requested.level ? nil : $0.command(level: requested.level) }
    try await send {
      $0.isMuted == requested.isMuted ? nil : $0.command(isMuted: requested.isMuted)
    }
  }

  private func read(isRefresh: Bool = false) async throws(HeadphoneError) {
    let value = try await gatt { client throws(GATTError) in
      try await client.read(channel.state.handle)
    }
    if isRefresh { state = nil }
    receive(value)
  }

  private func send(_ requested: (VolumeState) -> [UInt8]?) async throws(HeadphoneError) {
    guard let state else { throw .unsupported("volume") }
    guard let command = requested(state) else { return }
    do throws(HeadphoneError) {
      try await writeControlPoint(command)
    } catch .gatt(.att(let error)) where error.code == VolumeState.invalidCounter {
      // Another client has changed the volume; try once more with the present state.
      try await read()
      guard let again = self.state.flatMap(requested) else { return }
      try await writeControlPoint(again)
    }
    // The state is read because it, not the command, tells the result.
    try await read()
  }

  private func writeControlPoint(_ command: [UInt8]) async throws(HeadphoneError) {
    try await gatt { client throws(GATTError) in
      try await client.write(command[...], to: channel.control)
    }
  }

  private func receive(_ value: Bytes) {
    do throws(MalformedBytes) {
      let state = try VolumeState(decoding: value)
      let before = self.state?.volume
      self.state = state
      if before != state.volume { emitter.report(.volumeChanged(state.volume)) }
    } catch {
      emitter.report(.malformed(error, value))
    }
  }
}
