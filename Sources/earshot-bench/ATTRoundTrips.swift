internal import Bluetooth
internal import BluetoothCodec
internal import EventLoop
internal import GATT
internal import Glibc

/// ATT reads a second by the GATT client, against a bare send/recv ping-pong of the same bytes.
///
/// Both ask the same kind of server thread over the same kind of socket pair, in short turns, so
/// that the machine's other work hits both; and on one processor, so that where the scheduler puts
/// two threads does not decide. What is left is the work itself.
enum ATTRoundTrips {
  private static let request: [UInt8] = [0x0A, 0x03, 0x00]
  private static let answer: [UInt8] = [0x0B, 0x64]
  private static let reads = 2_000
  private static let rounds = 101
  private static let goal = 0.6

  static func measure() async throws -> BenchResult {
    stayOnOneProcessor()
    let bare = try EchoServer.connected(answer: answer)
    EchoServer.setBlocking(bare)
    let reader = try Reader(descriptor: try EchoServer.connected(answer: answer))
    _ = try await reader.readsPerSecond(reads)
    var ratios: [(ratio: Double, bare: Double, client: Double)] = []
    for _ in 0..<rounds {
      let bareRate = await bareReadsPerSecond(bare)
      let clientRate = try await reader.readsPerSecond(reads)
      ratios.append((clientRate / bareRate, bareRate, clientRate))
    }
    await reader.close()
    close(bare)
    let median = ratios.sorted { $0.ratio < $1.ratio }[rounds / 2]
    return BenchResult(
      name: "ATT reads",
      value: """
        \(Int(median.client)) a second, \(hundredths(median.ratio)) of the bare ping-pong's \
        \(Int(median.bare)), in the median of \(rounds) rounds
        """,
      goal: "at least \(goal)", isMet: median.ratio >= goal)
  }

  /// On a thread of its own, as the client's is.
  private static func bareReadsPerSecond(_ descriptor: Int32) async -> Double {
    await withCheckedContinuation { continuation in
      Thread.start { continuation.resume(returning: pingPong(descriptor)) }
    }
  }

  private static func pingPong(_ descriptor: Int32) -> Double {
    var room = [UInt8](repeating: 0, count: 1024)
    let time = ContinuousClock().measure {
      for _ in 0..<reads {
        _ = send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
        _ = recv(descriptor, &room, room.count, 0)
      }
    }
    return Double(reads) / seconds(time)
  }

  /// Reads as a headphone driver does: an actor that runs where its client runs.
  private actor Reader {
    private let client: GATTClient

    nonisolated var unownedExecutor: UnownedSerialExecutor { client.unownedExecutor }

    init(descriptor: Int32) throws {
      client = GATTClient(bearer: try SocketBearer(descriptor: descriptor, loop: .shared))
    }

    func readsPerSecond(_ count: Int) async throws -> Double {
      let time = try await ContinuousClock().measure {
        for _ in 0..<count {
          guard try await client.read(3) == [0x64] else { throw WrongAnswer() }
        }
      }
      return Double(count) / seconds(time)
    }

    func close() async { await client.close() }
  }
}

private struct WrongAnswer: Error {}

func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }

func hundredths(_ value: Double) -> String {
  let count = Int((value * 100).rounded())
  return "\(count / 100).\(count % 100 < 10 ? "0" : "")\(count % 100)"
}
