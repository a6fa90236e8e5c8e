import BluetoothCodec
import BluetoothRadio
import Companion
import CompanionRuntime
import Locking
import Testing

@MainActor @Suite struct StoreTests {
  /// A handler that records effects, and answers a scan with its start.
  final class Recorder: EffectHandler {
    var effects: [Effect] = []

    func begin(_ effect: Effect, send: @escaping @MainActor (Action) -> Void) {
      effects.append(effect)
      if effect == .startScan {
        send(.scan(.started))
        send(.scan(.ended))
      }
    }
  }

  private func store(_ recorder: Recorder, log: @escaping (LogLine) -> Void = { _ in }) -> Store {
    Store(handler: recorder, now: { Timestamp(milliseconds: 0) }, log: log)
  }

  @Test func `the first action after a suspend comes after word of it`() {
    let asleep = Mutex(Duration.seconds(100))
    var lines: [String] = []
    let store = Store(
      handler: Recorder(), now: { Timestamp(milliseconds: 0) },
      timeAsleep: { asleep.withLock { $0 } }
    ) { lines.append($0.text) }
    store.send(.noted(.info, nil, "before"))
    asleep.withLock { $0 += .seconds(3600) }
    store.send(.noted(.info, nil, "after"))
    store.send(.noted(.info, nil, "later"))
    #expect(lines == ["before", "awake after 3600 s", "after", "later"])
  }

  @Test func `an action changes the state at once`() {
    let store = store(Recorder())
    store.send(.pressed(.help))
    #expect(store.state.page == .help(line: 0))
  }

  @Test func `what an effect sends while it begins is answered after it, in order`() {
    let recorder = Recorder()
    var lines: [String] = []
    let store = store(recorder) { lines.append($0.text) }
    store.send(
      .adapterChanged(
        .ready(Adapter(name: "hci0", address: BluetoothAddress(value: 0), isPowered: true))))
    #expect(recorder.effects == [.startScan])
    #expect(store.state.scan == .idle)
    #expect(lines == ["Bluetooth is on (hci0)", "scanning…", "scan ended, 0 headphones nearby"])
  }

  @Test
  func `what an effect sends while another screen's action begins is reported once, in order`() {
    var lines: [String] = []
    let store = store(Recorder()) { lines.append($0.text) }
    store.send(
      .adapterChanged(
        .ready(Adapter(name: "hci0", address: BluetoothAddress(value: 0), isPowered: true))))
    lines = []
    let view = store.send(.pressed(.scan), from: store.state.firstViewpoint)
    #expect(lines == ["scanning…", "scan ended, 0 headphones nearby"])
    #expect(view == store.state.firstViewpoint)
  }

  @Test func `each line of the log is reported once, also when the log is full`() {
    var count = 0
    let store = store(Recorder()) { _ in count += 1 }
    for number in 0..<(Log.capacity + 10) { store.send(.noted(.debug, nil, "\(number)")) }
    #expect(count == Log.capacity + 10)
  }

  @Test func `who is slow sees the newest state only, and an unchanged one not at all`() async {
    let store = store(Recorder())
    store.send(.pressed(.help))
    store.send(.pressed(.log))
    var states = store.states.makeAsyncIterator()
    #expect(await states.next()?.page == .log(line: 0))
    store.send(.pressed(.up))
    store.finish()
    #expect(await states.next() == nil)
  }
}
