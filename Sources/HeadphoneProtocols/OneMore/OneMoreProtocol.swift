public import BluetoothCodec

/// The protocol of 1MORE's headphones over RFCOMM.
///
/// The headphones use the Serial Port Profile without a company identifier, so only the user can
/// identify them (`--driver 1more`). The number of a command is one below that of the request for
/// the same value. The battery level is reported in steps of 10 %. Recordings of a SonoFlow confirm
/// one request and its command; the presets are from one published layout.
public struct OneMoreProtocol: TabledProtocol, FramedProtocol {
  public typealias Frame = OneMoreFrame

  public static let name = "1MORE"
  static let manufacturer = name
  public static let service = SerialService.serialPort
  public static let services = [SerialService(service, isShared: true)]

  static let rows = [
    MakerRow(0x4E, [.skip(1), .firmware(3), .battery(.left)]),
    // Other models have further numbers.
    MakerRow(0x5F, [.noise([0: .off, 1: .noiseCancelling, 3: .transparency])], set: 0x5E),
    MakerRow(0x6C, [.setting(.toggle("ldac", orOff: 0...2, on: 2))], set: 0x6B),
    MakerRow(0x77, [.setting(.toggle(.multipoint))], set: 0x76),
    MakerRow(
      0x6A,
      [
        .setting(
          .choice(
            .equaliserPreset,
            [
              "studio", "bass-reducer", "bass-booster", "acoustic", "classical", "podcast", "deep",
              "electronic", "hip-hop", "lounge", "pop", "voice",
            ]))
      ], set: 0x69),
  ]

  var reader = FrameReader(OneMoreFrame.format(of: .headphone))
  var reported = ReportedValues()
  var state = TableState()
  private var sequence: UInt16 = 0

  public init(on service: BluetoothUUID) {}

  public var isRecognised: Bool { !reported.batteries.isEmpty }

  mutating func ask(_ number: UInt16, _ payload: [UInt8]) -> Exchange {
    sequence &+= 1
    return Exchange(
      OneMoreFrame(.phone, number, sequence: sequence, payload).encoded(),
      response: ResponseID(number))
  }

  mutating func apply(
    _ frame: OneMoreFrame, to message: inout ParsedMessage
  ) throws(MalformedBytes) {
    guard frame.sender == .headphone else { return }
    message.responses = [ResponseID(frame.command)]
    try apply(frame.command, frame.payload)
  }
}
