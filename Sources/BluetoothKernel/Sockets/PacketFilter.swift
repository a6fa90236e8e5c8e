internal import BluetoothCodec
internal import BluetoothRadio
internal import CBluetooth
internal import EventLoop
internal import Glibc

/// A filter of the packets that a socket receives, as a classic BPF program.
///
/// The kernel's HCI filter cannot distinguish LE events. With LE link events it would pass every
/// advertisement, too, which would fill a socket that is not read meanwhile.
struct PacketFilter: Hashable, Sendable {
  /// The bytes by their offsets; a packet passes if it has all bytes of one rule.
  typealias Rule = [Int: UInt8]

  let rules: [Rule]

  var program: [sock_filter] {
    var program: [sock_filter] = []
    for rule in rules {
      let bytes = rule.sorted { $0.key < $1.key }
      for (number, (place, byte)) in bytes.enumerated() {
        // Two instructions for each remaining byte, and the one that passes the packet.
        let rest = (bytes.count - number - 1) * 2 + 1
        program.append(Self.load(place))
        program.append(
          sock_filter(
            code: UInt16(BPF_JMP | BPF_JEQ | BPF_K), jt: 0, jf: UInt8(truncatingIfNeeded: rest),
            k: UInt32(byte)))
      }
      program.append(Self.end(passing: .max))
    }
    program.append(Self.end(passing: 0))
    return program
  }

  /// Returns the instruction that loads a byte; past the packet's end it drops the packet.
  private static func load(_ place: Int) -> sock_filter {
    sock_filter(
      code: UInt16(BPF_LD | BPF_B | BPF_ABS), jt: 0, jf: 0,
      k: UInt32(truncatingIfNeeded: place))
  }

  private static func end(passing bytes: UInt32) -> sock_filter {
    sock_filter(code: UInt16(BPF_RET | BPF_K), jt: 0, jf: 0, k: bytes)
  }
}

extension PacketFilter {
  func attach(to descriptor: Int32, during operation: String) throws(RadioError) {
    var program = program
    let result = program.withUnsafeMutableBufferPointer { instructions in
      var whole = sock_fprog(
        len: UInt16(truncatingIfNeeded: instructions.count), filter: instructions.baseAddress)
      return systemCall {
        Int(
          setsockopt(
            descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &whole,
            socklen_t(MemoryLayout<sock_fprog>.size)))
      }
    }
    if case .failed(let code) = result { throw RadioError(errno: code, during: operation) }
  }
}

extension PacketFilter {
  static func event(_ code: UInt8, _ connection: UInt16?, at place: Int) -> Rule {
    guard let connection else { return [1: code] }
    return [1: code].merging(littleEndian(connection, at: place)) { old, _ in old }
  }

  static func subevent(_ code: UInt8, _ connection: UInt16? = nil, at place: Int = 0) -> Rule {
    event(HCIEventCode.leMeta, connection, at: place).merging([3: code]) { old, _ in old }
  }

  /// Returns the rule for Command Complete, where the handle follows the status.
  static func complete(_ opcode: HCIOpcode, _ connection: UInt16? = nil) -> Rule {
    event(HCIEventCode.commandComplete, connection, at: 7)
      .merging(littleEndian(opcode.rawValue, at: 4)) { old, _ in old }
  }

  static func status(_ opcode: HCIOpcode) -> Rule {
    [1: HCIEventCode.commandStatus].merging(littleEndian(opcode.rawValue, at: 5)) { old, _ in old }
  }

  static func command(_ opcode: HCIOpcode) -> Rule {
    [0: HCIPacketType.command.rawValue]
      .merging(littleEndian(opcode.rawValue, at: 1)) { old, _ in old }
  }

  private static func littleEndian(_ value: UInt16, at place: Int) -> Rule {
    [place: UInt8(truncatingIfNeeded: value), place + 1: UInt8(value >> 8)]
  }
}
