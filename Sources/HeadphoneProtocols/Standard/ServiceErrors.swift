package import BluetoothCodec

/// The errors that the services of LE Audio define, in words.
///
/// Each service defines 0x80 and the following codes differently (application error codes in
/// section 1 of HAS, BASS, VCS, VOCS, AICS, MICS and CSIS 1.0).
package enum ServiceErrors {
  package static func text(_ code: ATTErrorCode, of service: BluetoothUUID) -> String? {
    guard case 0x80... = code.rawValue, let texts = texts[service] else { return nil }
    let index = Int(code.rawValue) - 0x80
    return texts.indices.contains(index) ? texts[index] : nil
  }

  private static let changed = "it was changed elsewhere meanwhile; try again"
  private static let unknown = "the headphone does not know this request"
  private static let outOfRange = "the headphone does not accept this value"
  private static let muteIsOff = "mute is disabled on the headphone"

  /// The texts of each service's error codes, starting with code 0x80.
  private static let texts: [BluetoothUUID: [String]] = [
    .hearingAccess: [
      unknown, "this preset cannot be renamed",
      "the hearing aids do not pass a preset on to each other",
      "the hearing aid cannot do this now", "a preset's name has 1 to 40 bytes",
    ],
    .broadcastAudioScan: [unknown, "the headphone no longer knows this broadcast"],
    .volumeControl: [changed, unknown],
    .volumeOffset: [changed, unknown, outOfRange],
    .audioInput: [
      changed, unknown, muteIsOff, outOfRange,
      "the headphone does not let its gain mode be changed",
    ],
    .microphoneControl: [muteIsOff],
    .coordinatedSet: [
      "another device has locked the set", "another device has locked the set", outOfRange,
      "the headphone does not disclose its set over the air", "the set is locked already",
    ],
  ]
}
