internal import BluetoothAttributes
internal import BluetoothCodec
public import BluetoothRadio
public import HeadphoneProtocols

/// One of two buds that can receive broadcasts (Broadcast Audio Scan Service 1.0).
///
/// Like BlueZ's server, it accepts but ignores the removal of a source that it plays. Like
/// Zephyr's, it rejects invalid values, and a source for which there is no room.
public struct VirtualBroadcastBud: Hashable, Sendable {
  public var member: VirtualSetMember
  /// The broadcasts in range.
  public var air: [VirtualBroadcast]
  /// The receive states, each nil without a source.
  public private(set) var states: [ReceiveState?] = [nil, nil]
  /// Whether all operations are accepted but not carried out.
  public var ignoresOperations = false
  /// Whether the bud requests that the phone transfer the synchronisation (PAST).
  public var wantsTransfer = false
  /// Whether the bud finds no audio in any broadcast.
  public var isDeaf = false
  /// The operations that were accepted, in order.
  public private(set) var operations: [BroadcastScanOperation] = []
  public var security: SecurityLevel = .low
  private var lastNumber: UInt8

  typealias Changes = [(index: Int, value: [UInt8])]

  /// Creates a bud that receives no broadcast.
  public init(_ member: VirtualSetMember, air: [VirtualBroadcast]) {
    self.member = member
    self.air = air
    // The source numbers of the two buds differ, as with real ones.
    lastNumber = member.side == .left ? 0 : 0x10
  }

  var advertised: [AdvertisingStructure] {
    [.serviceData(.broadcastAudioScan, [])] + member.advertised
  }

  var services: [ServiceDefinition] {
    let values = states.map { state in
      CharacteristicDefinition(
        .broadcastReceiveState, [.read, .notify], value: state?.encoded() ?? [],
        readSecurity: security, writeSecurity: security)
    }
    let control = CharacteristicDefinition(
      .broadcastControlPoint, [.write, .writeWithoutResponse], value: [], readSecurity: security,
      writeSecurity: security)
    return member.services + [ServiceDefinition(.broadcastAudioScan, [control] + values)]
  }

  /// Returns the ATT error for an operation, or nil if it is accepted.
  func objection(to value: Bytes) -> ATTErrorCode? {
    do throws(MalformedBytes) {
      switch try BroadcastScanOperation(decoding: value) {
      case .addSource:
        return states.contains(nil) || ignoresOperations ? nil : .insufficientResources
      case .modifySource(let number, _, _, _), .setCode(let number, _), .removeSource(let number):
        let isThere = states.contains { $0?.number == number }
        return isThere ? nil : BroadcastScanError.invalidSource
      case .scanStarted, .scanStopped: return nil
      }
    } catch {
      switch error.reason {
      case .unknownType: return BroadcastScanError.opcodeNotSupported
      case .badValue: return .valueNotAllowed
      default: return .writeRequestRejected
      }
    }
  }

  mutating func perform(_ value: Bytes) -> Changes {
    guard let operation = try? BroadcastScanOperation(decoding: value) else { return [] }
    operations.append(operation)
    guard !ignoresOperations else { return [] }
    switch operation {
    case .scanStarted, .scanStopped: return []
    case .addSource(let source, let sync, _, let subgroups):
      guard let index = states.firstIndex(of: nil) else { return [] }
      lastNumber &+= 1
      states[index] = ReceiveState(
        lastNumber, source, .off, .none, subgroups.map { BroadcastSubgroup(0, $0.metadata) })
      return [changed(index)] + (sync == .off ? [] : synchronise(index))
    case .modifySource(let number, let sync, _, _):
      guard let index = index(of: number) else { return [] }
      guard sync == .off else { return synchronise(index) }
      stop(index)
      return [changed(index)]
    case .setCode(let number, let code):
      guard let index = index(of: number), var state = states[index] else { return [] }
      let right = broadcast(of: state)?.code.flatMap(BroadcastCode.init(_:))
      guard code == right else {
        state.encryption = .badCode
        state.badCode = code
        states[index] = state
        return [changed(index)]
      }
      state.encryption = .decrypting
      states[index] = state
      return [changed(index)] + play(index)
    case .removeSource(let number):
      guard let index = index(of: number), states[index]?.isActive == false else { return [] }
      states[index] = nil
      return [changed(index)]
    }
  }

  mutating func lose(_ id: BroadcastID) -> Changes {
    air.removeAll { $0.id == id }
    return states.indices.filter { states[$0]?.source.broadcast == id }.map { index in
      stop(index)
      states[index]?.sync = .failed
      return changed(index)
    }
  }

  private func index(of number: UInt8) -> Int? {
    states.firstIndex { $0?.number == number }
  }

  private func broadcast(of state: ReceiveState) -> VirtualBroadcast? {
    air.first { $0.id == state.source.broadcast && $0.set == state.source.set }
  }

  private mutating func stop(_ index: Int) {
    states[index]?.sync = .off
    states[index]?.encryption = .none
    states[index]?.badCode = nil
    for place in states[index]?.subgroups.indices ?? 0..<0 {
      states[index]?.subgroups[place].streams = 0
    }
  }

  private mutating func synchronise(_ index: Int) -> Changes {
    guard let state = states[index] else { return [] }
    guard !wantsTransfer else {
      states[index]?.sync = .wantsTransfer
      let first = changed(index)
      states[index]?.sync = .noTransfer
      return [first, changed(index)]
    }
    guard let broadcast = broadcast(of: state) else {
      states[index]?.sync = .failed
      return [changed(index)]
    }
    states[index]?.sync = .on
    states[index]?.subgroups = [BroadcastSubgroup(0, broadcast.metadata.encoded())]
    guard broadcast.code == nil else {
      states[index]?.encryption = .codeRequired
      // Some headphones notify this once more when the metadata arrive.
      return [changed(index), changed(index)]
    }
    return [changed(index)] + play(index)
  }

  private mutating func play(_ index: Int) -> Changes {
    let streams: UInt32 = member.side == .left ? 1 << 0 : 1 << 1
    let metadata = states[index]?.subgroups.first?.metadata ?? []
    states[index]?.subgroups = [
      BroadcastSubgroup(isDeaf ? BroadcastSubgroup.any : streams, metadata)
    ]
    return [changed(index)]
  }

  private func changed(_ index: Int) -> (index: Int, value: [UInt8]) {
    (index, states[index]?.encoded() ?? [])
  }
}

// MARK: In the headphone

extension VirtualHeadphone {
  func objectAsBroadcastBud(to pdu: Bytes) {
    guard case .broadcastBud(let bud)? = family, faults.refusedWrites.isEmpty,
      case .request(.write(let handle, let value))? = try? ATTClientPDU(decoding: pdu),
      server.table.type(at: handle) == .broadcastControlPoint
    else { return }
    server.refusals[handle] = bud.objection(to: value)
  }

  func broadcastBudWrote(_ value: Bytes, to type: BluetoothUUID) {
    guard type == .broadcastControlPoint else { return }
    changeBroadcastBud { $0.perform(value) }
  }

  /// Ends the broadcast with this identifier.
  public func loseBroadcast(_ id: BroadcastID) { changeBroadcastBud { $0.lose(id) } }

  /// The current state of the bud, or nil if the headphone is not such a bud.
  public var broadcastBud: VirtualBroadcastBud? {
    if case .broadcastBud(let bud)? = family { bud } else { nil }
  }

  private func changeBroadcastBud(
    _ change: (inout VirtualBroadcastBud) -> VirtualBroadcastBud.Changes
  ) {
    guard case .broadcastBud(var bud)? = family else { return }
    let changes = change(&bud)
    family = .broadcastBud(bud)
    let handles = server.table.handles(of: .broadcastReceiveState)
    for (index, value) in changes where handles.indices.contains(index) {
      server.table.setValue(value, at: handles[index])
      execute(server.push(value[...], of: handles[index]))
    }
  }
}
