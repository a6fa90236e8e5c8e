internal import Bluetooth
internal import CBluetooth
internal import EventLoop
internal import Glibc

/// A filter of the packets that a socket receives, as a classic BPF program.
///
/// HCI's own filter distinguishes events, but not LE events: with those of links every
/// advertisement would arrive, and fill a socket that is not read meanwhile.
///
/// ```swift
/// // LE Meta events (0x3E) with the subevent LE Connection Complete (0x01)
/// let filter = PacketFilter(rules: [[1: 0x3E, 3: 0x01]])
/// try filter.attach(to: socket.descriptor.number, during: "watch links")
/// ```
struct PacketFilter: Hashable, Sendable {
  /// Bytes by their offsets; a packet passes if it has all bytes of one rule.
  typealias Rule = [Int: UInt8]

  let rules: [Rule]

  /// The instructions: each rule compares its bytes one by one, and a difference jumps to the next
  /// rule.
  var program: [sock_filter] {
    var program: [sock_filter] = []
    for rule in rules {
      let bytes = rule.sorted { $0.key < $1.key }
      for (number, (place, byte)) in bytes.enumerated() {
        // Two instructions for each remaining byte, and the one that lets the packet pass.
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

  /// Loads a byte; past the packet's end the program ends, and the packet does not pass.
  private static func load(_ place: Int) -> sock_filter {
    sock_filter(
      code: UInt16(BPF_LD | BPF_B | BPF_ABS), jt: 0, jf: 0,
      k: UInt32(truncatingIfNeeded: place))
  }

  /// Ends the program, and lets so many bytes of the packet pass.
  private static func end(passing bytes: UInt32) -> sock_filter {
    sock_filter(code: UInt16(BPF_RET | BPF_K), jt: 0, jf: 0, k: bytes)
  }
}

extension PacketFilter {
  /// Attaches the filter to a socket, which from now on receives only matching packets.
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
