import HeadphoneProtocols

@testable import Companion

/// 1.5.0 for hardware 0xA102, of 77,831 bytes.
let newFirmware = FirmwareManifest(
  hardware: 0xA102, version: FirmwareVersion(1, 5, 0), imageSize: 77_831, blockSize: 16_384,
  minimumBattery: 30, digest: [UInt8](repeating: 7, count: 32), securityCounter: 2)

func offer(
  _ trust: FirmwareTrust = .trusted, isForced: Bool = false,
  _ change: (inout FirmwareManifest) -> Void = { _ in }
) -> FirmwareCandidate {
  var manifest = newFirmware
  change(&manifest)
  var offer = FirmwareCandidate(path: "new.fw", manifest: manifest, trust: trust)
  offer.isForced = isForced
  return offer
}

func progress(
  _ phase: FirmwareUpdate.Phase, _ bytes: Int = 0, rate: Double? = nil
) -> FirmwareProgress {
  FirmwareProgress(phase: phase, bytes: bytes, total: 77_831, rate: rate)
}

/// The progress at the beginning of an update.
let beginning = progress(.asking)

extension Scenario {
  static let updatable: Capabilities = {
    var capabilities = allFeatures
    capabilities.hasFirmwareUpdate = true
    return capabilities
  }()

  /// Returns the description of a headphone with firmware updates.
  static func updatableDescription(firmware: String = "1.4.2") -> HeadphoneDescription {
    var reported = description(of: updatable)
    reported.information.firmware = firmware
    reported.information.hardware = "0xA102"
    return reported
  }

  /// Returns a ready headphone with firmware updates and charged buds.
  static func withUpdatable() -> Scenario {
    var scenario = withHeadphone()
    scenario.given(
      .pressed(.connectOrDisconnect), .link(ear, .connected),
      .link(ear, .ready(updatableDescription(), isEncrypted: false)),
      .headphone(
        ear, .batteryChanged([.left: Battery(level: 80), .right: Battery(level: 75)])))
    return scenario
  }

  /// The target that the beginning update is checked against.
  var updateTarget: FirmwareTarget { state.headphones[ear]?.updateTarget ?? FirmwareTarget() }

  /// Returns the page with an image.
  static func withOffer(_ offer: FirmwareCandidate = offer()) -> Scenario {
    var scenario = withUpdatable()
    scenario.given(.pressed(.firmware))
    for character in offer.path { scenario.given(.typed(.character(character))) }
    scenario.given(.pressed(.accept), .firmware(ear, .examined(offer)))
    return scenario
  }

  /// Returns an update in progress.
  static func withUpdate() -> Scenario {
    var scenario = withOffer()
    scenario.given(.pressed(.accept), .pressed(.right), .pressed(.accept))
    return scenario
  }

  var firmware: FirmwareState.Stage? { state.headphones[ear]?.firmware.stage }
  var link: LinkState? { state.headphones[ear]?.link }
}
