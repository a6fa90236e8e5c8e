internal import Bluetooth
internal import CBluetooth
internal import EventLoop
internal import Glibc

/// A filter of the packets that a socket receives, as a classic BPF program.
///
/// HCI's own filter knows events, but not which LE events: with those of links would come every
/// advertisement, and fill a socket that is not read meanwhile.
struct PacketFilter: Hashable, Sendable {
  /// A packet passes if it has all of one rule's bytes at their places.
  typealias Rule = [Int: UInt8]

  let rules: [Rule]

  /// For each rule: compare its bytes one by one, each leading to the next rule when it differs.
  var program: [sock_filter] {
    var program: [sock_filter] = []
    for rule in rules {
      let bytes = rule.sorted { $0.key < $1.key }
      for (number, (place, byte)) in bytes.enumerated() {
        // Two instructions for each byte that is left, and the one that lets the packet pass.
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

  /// A load past the packet's end ends the program, and the packet does not pass.
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
  /// The socket gets nothing else from now on.
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
