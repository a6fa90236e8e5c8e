import BluetoothRadio
import DBus
import Testing

@testable import BlueZ

/// The steps that connect the sound, according to the behaviour of bluetoothd 5.66.
@Suite struct AudioConnectionTests {
  private static func device(isPaired: Bool = true, isConnected: Bool = false) throws -> BlueZDevice
  {
    try BlueZDeviceTests.device([
      "Paired": .boolean(isPaired), "Connected": .boolean(isConnected),
    ])
  }

  private static func failed(_ message: String, _ name: String = "Failed") -> DBusError {
    .refused(name: "org.bluez.Error.\(name)", message: message)
  }

  @Test func `nothing is connected: Connect is quick and complete`() throws {
    var steps = AudioConnection()
    #expect(
      steps.begin(try Self.device(), hasAudio: false, isClassicUp: false) == .connect)
    #expect(steps.replied(nil, hasAudio: false) == .awaitTransport)
    #expect(steps.waited(hasAudio: true, isClassicUp: true) == .done)
  }

  @Test func `calls are connected by themselves where the headphone has them`() throws {
    var steps = AudioConnection()
    let device = try BlueZDeviceTests.device([
      "Paired": .boolean(true),
      "UUIDs": .strings([AudioConnection.sink, AudioConnection.calls]),
    ])
    // Connect may take LE alone.
    #expect(steps.begin(device, hasAudio: false, isClassicUp: false) == .connectProfile)
    #expect(steps.replied(nil, hasAudio: false) == .awaitTransport)
    #expect(steps.waited(hasAudio: true, isClassicUp: true) == .connectCalls)
    var again = AudioConnection()
    #expect(again.begin(device, hasAudio: true, isClassicUp: true) == .done)
  }

  @Test func `with BR/EDR up Connect would take the control link`() throws {
    var steps = AudioConnection()
    #expect(
      steps.begin(try Self.device(isConnected: true), hasAudio: false, isClassicUp: true)
        == .connectProfile)
    #expect(steps.replied(nil, hasAudio: true) == .done)
  }

  @Test func `sound that is up is left alone`() throws {
    var steps = AudioConnection()
    #expect(
      steps.begin(try Self.device(isConnected: true), hasAudio: true, isClassicUp: true) == .done)
  }

  @Test func `a device that is not known is looked for once`() throws {
    var steps = AudioConnection()
    #expect(steps.begin(nil, hasAudio: false, isClassicUp: false) == .discover)
    #expect(steps.begin(nil, hasAudio: false, isClassicUp: false) == .failed(.notFound))
    var found = AudioConnection()
    _ = found.begin(nil, hasAudio: false, isClassicUp: false)
    #expect(
      found.begin(try Self.device(isPaired: false), hasAudio: false, isClassicUp: false)
        == .failed(.notPaired))
  }

  @Test func `LE alone is let go, unless this program has it`() throws {
    var steps = AudioConnection()
    _ = steps.begin(try Self.device(), hasAudio: false, isClassicUp: false)
    _ = steps.replied(nil, hasAudio: false)
    #expect(steps.waited(hasAudio: false, isClassicUp: false) == .release)
    var own = AudioConnection()
    _ = own.begin(try Self.device(isConnected: true), hasAudio: false, isClassicUp: false)
    _ = own.replied(nil, hasAudio: false)
    #expect(own.waited(hasAudio: false, isClassicUp: false) == .failed(.unreachable))
  }

  @Test func `a link without sound is reported as such`() throws {
    var steps = AudioConnection()
    _ = steps.begin(try Self.device(), hasAudio: false, isClassicUp: true)
    _ = steps.replied(nil, hasAudio: false)
    #expect(steps.waited(hasAudio: false, isClassicUp: true) == .failed(.timedOut))
  }

  @Test func `the sound server's own attempt is waited for`() throws {
    var steps = AudioConnection()
    _ = steps.begin(try Self.device(), hasAudio: false, isClassicUp: false)
    #expect(
      steps.replied(Self.failed("br-connection-busy", "InProgress"), hasAudio: false)
        == .awaitTransport)
    // It was not for the sound.
    #expect(steps.waited(hasAudio: false, isClassicUp: false) == .connect)
    #expect(steps.replied(nil, hasAudio: false) == .awaitTransport)
    #expect(steps.waited(hasAudio: true, isClassicUp: true) == .done)
  }

  @Test func `BR/EDR that came up without sound gets its profile`() throws {
    var steps = AudioConnection()
    _ = steps.begin(try Self.device(), hasAudio: false, isClassicUp: false)
    _ = steps.replied(nil, hasAudio: false)
    #expect(steps.waited(hasAudio: false, isClassicUp: true) == .connectProfile)
    #expect(steps.replied(nil, hasAudio: false) == .awaitTransport)
    #expect(steps.waited(hasAudio: false, isClassicUp: true) == .failed(.timedOut))
  }

  @Test(arguments: [
    ("br-connection-profile-unavailable", "Failed", AudioLinkError.noSoundServer),
    ("br-connection-profile-unavailable", "NotAvailable", .noSoundServer),
    ("br-connection-page-timeout", "Failed", .unreachable),
    ("br-connection-unknown", "Failed", .keyMissing),
    ("le-connection-abort-by-local", "Failed", .unreachable),
    ("Resource Not Ready", "NotReady", .poweredOff),
    ("Does Not Exist", "DoesNotExist", .notPaired),
    ("something new", "Failed", .failed("something new")),
    ("", "Strange", .failed("org.bluez.Error.Strange")),
  ])
  func `errors have message and advice`(
    message: String, name: String, expected: AudioLinkError
  ) {
    var steps = AudioConnection()
    #expect(steps.replied(Self.failed(message, name), hasAudio: false) == .failed(expected))
    #expect(!"\(expected)".isEmpty && !expected.advice.isEmpty)
  }

  @Test func `a bluetoothd that is gone, or does not answer`() {
    #expect(AudioLinkError(.noBus) == .noBluetoothd)
    #expect(AudioLinkError(.timedOut) == .unreachable)
    #expect(
      AudioLinkError(.refused(name: "org.freedesktop.DBus.Error.NoReply", message: "x"))
        == .noBluetoothd)
  }
}
