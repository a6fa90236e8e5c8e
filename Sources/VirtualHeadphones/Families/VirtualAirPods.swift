public import BluetoothCodec
public import HeadphoneProtocols

/// A simulated pair of AirPods as a value: it receives packets and returns packets.
///
/// The sequence is that of a real pair: handshake, features, notifications. The request for
/// notifications is answered with all controls, the metadata, the batteries, the primary bud and
/// the ear state. A command for noise control is answered by repeating it, or ignored if it is
/// rejected. Other controls and a new name are accepted without an answer, as by AirPods Pro 3.
public struct VirtualAirPods: Hashable, Sendable {
  /// Apple's number of the product.
  public var product: UInt16
  /// The batteries; their order has no meaning.
  public var battery: AACPBattery
  /// The primary bud, which has the link.
  public var primary = Side.right
  /// The positions of the buds, primary bud first.
  public var ear: AACPEar
  /// The mode of noise control: 1 off, 2 cancelling, 3 transparency, 4 adaptive.
  public var noise: UInt8
  /// The strength of adaptive noise control, or nil if there is none.
  public var strength: UInt8?
  /// The other supported controls by number, with four bytes each.
  public var controls: [UInt8: [UInt8]] = [:]
  public var metadata: AACPMetadata
  /// The modes of noise control that are rejected.
  public var missing: Set<UInt8> = []
  var isSilent = false
  private var isGreeted = false

  public init(
    product: UInt16, battery: AACPBattery, ear: AACPEar, noise: UInt8, strength: UInt8?,
    metadata: AACPMetadata
  ) {
    self.product = product
    self.battery = battery
    self.ear = ear
    self.noise = noise
    self.strength = strength
    self.metadata = metadata
  }

  /// Returns the packets that answer a packet; before the handshake, there are none.
  public mutating func respond(to value: Bytes) -> [[UInt8]] {
    guard !isSilent, let packet = try? AACPPacket(decoding: value) else { return [] }
    let responses: [AACPPacket]
    switch packet {
    case .handshake:
      isGreeted = true
      responses = [.handshakeResponse([0, 0, 0, 0])]
    case .message(let opcode, let data) where isGreeted: responses = execute(opcode, data)
    case .message, .handshakeResponse: responses = []
    }
    return responses.map { $0.encoded() }
  }

  mutating func disconnect() { isGreeted = false }

  private mutating func execute(_ opcode: UInt16, _ data: Bytes) -> [AACPPacket] {
    switch opcode {
    case AACPOpcode.setFeatures: return [.message(opcode: AACPOpcode.featuresResponse, [0])]
    case AACPOpcode.requestNotifications:
      let controls =
        [AACPControl(.noiseControl, noise)]
        + (strength.map { [AACPControl(.adaptiveStrength, $0)] } ?? [])
        + self.controls.sorted { $0.key < $1.key }.map { AACPControl($0.key, bytes: $0.value) }
      return controls.map { .message(opcode: AACPOpcode.control, $0.encoded()[...]) } + [
        .message(opcode: AACPOpcode.metadata, metadata.encoded()[...]),
        .message(opcode: AACPOpcode.battery, battery.encoded()[...]),
        .message(opcode: AACPOpcode.primary, [primary == .left ? 1 : 2, 0, 1, 0]),
        .message(opcode: AACPOpcode.ear, ear.encoded()[...]),
      ]
    case AACPOpcode.rename:
      metadata.name = String(decoding: data.dropFirst(3), as: UTF8.self)
      return []
    case AACPOpcode.control:
      guard let control = try? AACPControl(decoding: data), apply(control) else { return [] }
      return [.message(opcode: opcode, control.encoded()[...])]
    default: return []
    }
  }

  private mutating func apply(_ control: AACPControl) -> Bool {
    switch control.identifier {
    case .noiseControl:
      guard (1...4).contains(control.value), !missing.contains(control.value),
        control.value != 4 || strength != nil, control.value != 1 || controls[0x34]?.first != 2
      else { return false }
      noise = control.value
      return true
    case .adaptiveStrength:
      if strength != nil, control.value <= 100 { strength = control.value }
    case .other(let number):
      if controls[number] != nil { controls[number] = control.bytes }
    }
    return false
  }
}
