import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import EventLoop
import TestSupport
import Testing

@testable import BluetoothKernel

@Suite struct ServiceInquiriesTests {
  /// The attribute lists with vendor 004C and product 2014.
  private static let lists: [UInt8] = [
    0x35, 0x16, 0x35, 0x14, 0x09, 0x02, 0x01, 0x09, 0x00, 0x4C, 0x09, 0x02, 0x02, 0x09, 0x20, 0x14,
    0x09, 0x02, 0x05, 0x09, 0x00, 0x01, 0x08, 0x00,
  ]

  /// Answers each request with the next 8 bytes; the continuation state is their offset.
  private static func serve(_ bearer: SocketBearer) async {
    while let request = try? await bearer.receive() {
      let state = request.last.map(Int.init) ?? 0
      let part = lists[state..<min(state + 8, lists.count)]
      let rest: [UInt8] = part.endIndex < lists.count ? [1, UInt8(part.endIndex)] : [0]
      let parameters = [0, UInt8(part.count)] + part + rest
      try? await bearer.send(
        ([0x07, request[1], request[2], 0, UInt8(parameters.count)] + parameters)[...])
    }
  }

  @Test func `a device that answers in parts is asked for each of them`() async throws {
    let (near, far) = try SocketBearer.pair(loop: .shared)
    async let serving: Void = Self.serve(far)
    let records = try await SDPClient.records(
      to: .product(transaction: 7), on: near, clock: ManualClock())
    #expect(ProductID(records) == ProductID(vendor: 0x004C, product: 0x2014))
    #expect(near.closed == BearerClosed(.user))
    await serving
  }

  @Test func `a device that does not answer is given up`() async throws {
    let clock = ManualClock()
    let (near, far) = try SocketBearer.pair(loop: .shared)
    defer { far.close(.user) }
    let records = Task {
      try await SDPClient.records(to: .product(transaction: 7), on: near, clock: clock)
    }
    await clock.pass(.seconds(2))
    await #expect(throws: RadioError.timedOut) { try await records.value }
  }
}
