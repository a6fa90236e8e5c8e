internal import BluetoothAttributes
internal import BluetoothCodec
public import BluetoothRadio
public import EventLoop
internal import HeadphoneProtocols

extension VirtualRadio {
  /// Creates the radio of `--adapter virtual`: four headphones in range, with generated scripts.
  ///
  /// The same seed reproduces the same scripts, levels and passkeys.
  ///
  /// - Parameter isQuiet: whether nothing happens unprompted: no script, no discharge, no fading.
  public static func environment(
    isQuiet: Bool = false, loop: PollLoop = .shared,
    clock: any Clock<Duration> = ContinuousClock(), seed: UInt64 = 2026,
    agent: PairingAgent = PairingAgent(consentsUnattended: true),
    bonds: any BondStore = EmptyBondStore()
  ) -> VirtualRadio {
    let headphones = VirtualModel.environment.enumerated().map { index, model in
      guard !isQuiet else { return VirtualHeadphone(model.quiet, loop: loop, clock: clock) }
      let script = SimulationScript.generated(seed: seed &+ UInt64(index), model)
      return VirtualHeadphone(model, loop: loop, clock: clock, script: script)
    }
    return VirtualRadio(
      headphones: headphones, clock: clock, agent: agent, bonds: bonds, fading: isQuiet ? 0 : 3)
  }
}

extension VirtualModel {
  /// One headphone of each kind with the protocol of docs/protocol.md.
  public static let environment: [VirtualModel] = [.aurora, .drift, .cipher, .veteran]

  public static let aurora: VirtualModel = {
    var model = VirtualModel(name: "Aurora Buds", address: virtualAddress(1))
    model.audioAddress = BluetoothAddress(value: 0x0000_5E00_5301)
    model.information = DeviceInformation(
      manufacturer: "Earshot Virtual", model: "Aurora Buds", serial: "AB-0001-7F3C",
      firmware: "1.4.2", hardware: "0xA102")
    model.firmware = FirmwareReceiver.Setup(hardware: 0xA102, keys: VirtualVendor.keys)
    return model
  }()

  /// A neckband without equaliser and case; only the order distinguishes its two batteries.
  public static let drift: VirtualModel = {
    var model = VirtualModel(name: "Drift Neckband", address: virtualAddress(2))
    model.audioAddress = BluetoothAddress(value: 0x0000_5E00_5302)
    model.information = DeviceInformation(
      manufacturer: "Earshot Virtual", model: "Drift N1", firmware: "0.9.8")
    model.features = [.anc, .wearDetection, .touchActions, .rename]
    model.ancModes = [.off, .noiseCancelling, .transparency]
    model.eqPresets = []
    model.bands = 0
    model.batteries = [.left, .right]
    model.levels = [.left: 57, .right: 55]
    model.describesBatteries = false
    model.rssi = -68
    return model
  }()

  /// Earbuds with 128-bit UUIDs that require pairing, each time with another method.
  public static let cipher: VirtualModel = {
    var model = VirtualModel(name: "Cipher Studio", address: virtualAddress(3))
    model.audioAddress = BluetoothAddress(value: 0x0000_5E00_5303)
    model.information = DeviceInformation(
      manufacturer: "Earshot Virtual", model: "Cipher S", serial: "CS-2210", firmware: "3.0.0",
      hardware: "A2")
    model.control = .long
    model.security = .medium
    model.pairings = [.justWorks, .comparison, .passkeyShown, .passkeyEntered]
    model.bands = 5
    model.levels = [.left: 100, .right: 96, .case: 34]
    model.window = 2
    model.rssi = -61
    return model
  }()

  /// An old headphone: one battery, indications, the smallest MTU, no capability report.
  public static let veteran: VirtualModel = {
    var model = VirtualModel(name: "Veteran 2018", address: virtualAddress(4))
    model.information = DeviceInformation(model: "Veteran", firmware: "12")
    model.features = [.anc, .eq]
    model.batteries = [.left]
    model.levels = [.left: 18]
    model.describesBatteries = false
    model.supportsCapabilities = false
    model.pushes = .indicate
    model.server = GATTServer.Options(mtu: 23, supportsReadMultiple: false)
    model.rssi = -77
    return model
  }()

  fileprivate var quiet: VirtualModel {
    var model = self
    model.drains = false
    return model
  }

  private static func virtualAddress(_ number: UInt64) -> PeerAddress {
    PeerAddress(BluetoothAddress(value: 0xC0DE_5E00_5300 | number), .random)
  }
}
