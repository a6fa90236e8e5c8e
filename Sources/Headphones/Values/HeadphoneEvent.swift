/// The steps from a connected bearer to ready (docs/protocol.md section 8).
public enum StartPhase: Hashable, Sendable, CaseIterable {
  case discoveringServices, discoveringCharacteristics, subscribing
}

/// Something that a headphone told.
public enum HeadphoneEvent: Hashable, Sendable {
  /// How far `start()` is.
  case starting(StartPhase)
  case batteryChanged([Part: Battery])
  case wearingChanged(Wearing)
  case ancChanged(ANCMode)
  case ancLevelChanged(UInt8)
  /// `bands` is nil where the event did not carry them.
  case eqChanged(EQPreset, bands: [BandGain]?)
  case volumeChanged(HeadphoneVolume)
  case caseLidChanged(isOpen: Bool)
  case wearDetectionChanged(isOn: Bool)
  case touchUsed(Side, TouchGesture)
  case touchActionsChanged([Side: [TouchGesture: TouchAction]])
  case findChanged(Sides)
  case renamed(String)
  /// %, 0 to 100.
  case firmwareProgress(UInt8)
  case reportedError(HeadphoneStatus)
  /// Bytes that made no sense: counted, logged, without further effect.
  case malformed(String)
  /// The headphone says nothing: who asked by ``HeadphoneDriver/mark(_:)`` has everything before it.
  case mark(UInt64)
}
