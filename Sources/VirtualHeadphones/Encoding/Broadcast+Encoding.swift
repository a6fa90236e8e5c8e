package import HeadphoneProtocols

extension ReceiveState {
  /// Returns the value, with zeros for a missing bad code.
  package func encoded() -> [UInt8] {
    let zeros = [UInt8](repeating: 0, count: BroadcastCode.size)
    let code = encryption == .badCode ? badCode?.encoded() ?? zeros : []
    return [number] + source.encoded() + [sync.rawValue, encryption.rawValue] + code
      + subgroups.encoded()
  }
}

extension PublicBroadcastAnnouncement {
  package func encoded() -> [UInt8] {
    let metadata = metadata.encoded()
    return [features.rawValue, UInt8(truncatingIfNeeded: metadata.count)] + metadata
  }
}

extension AudioMetadata {
  package func encoded() -> [UInt8] { [UInt8(truncatingIfNeeded: value.count + 1), type] + value }
}

extension [AudioMetadata] {
  package func encoded() -> [UInt8] { flatMap { $0.encoded() } }
}
