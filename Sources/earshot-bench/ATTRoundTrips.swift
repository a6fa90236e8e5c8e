internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import EventLoop
internal import Glibc
internal import JSON

/// ATT reads per second by the GATT client, compared with a bare send/recv ping-pong.
///
/// Both use the same kind of server thread and socket pair, in short turns, so that the machine's
/// other work affects both. The process is pinned to one processor, so that the scheduler's
/// placement of the two threads does not matter.
enum ATTRoundTrips {
  private static let request: [UInt8] = [0x0A, 0x03, 0x00]
  private static let response: [UInt8] = [0x0B, 0x64]
  private static let reads = 2_000
  private static let rounds = 101
  private static let goal = 0.6

  static func measure() async throws -> BenchResult {
    let bare = try EchoServer.connected(response: response)
    EchoServer.setBlocking(bare)
    let reader = try Reader(descriptor: try EchoServer.connected(response: response))
    _ = try await reader.cost(reads)
    var rates: [(bare: Cost, client: Cost)] = []
    for _ in 0..<rounds {
      rates.append((await bareCost(bare), try await reader.cost(reads)))
    }
    await reader.close()
    close(bare)
    let ratios = Samples(rates.map { $0.bare.wall / $0.client.wall })
    let cpu = Samples(rates.map { $0.client.cpu * 1e9 })
    let bareCPU = Samples(rates.map { $0.bare.cpu * 1e9 })
    let rate = Samples(rates.map { 1 / $0.client.wall })
    return BenchResult(
      name: "ATT reads",
      value: """
        \(hundredths(ratios.median)) of the bare ping-pong's rate \
        (\(hundredths(ratios.interval.lowerBound)) to \(hundredths(ratios.interval.upperBound)), \
        \(rounds) rounds); \(Int(rate.median)) a second, \(Int(cpu.median)) ns of CPU a read, \
        \(Int(bareCPU.median)) bare
        """,
      goal: "at least \(goal)", verdict: ratios.verdict(atLeast: goal),
      numbers: [
        .init("ratio", .number(ratios.median)), .init("low", .number(ratios.interval.lowerBound)),
        .init("high", .number(ratios.interval.upperBound)),
        .init("nsOfCPU", .number(cpu.median)), .init("nsOfCPUBare", .number(bareCPU.median)),
      ])
  }

  /// The time and the CPU time of one read in s, both ends together.
  private struct Cost {
    var wall: Double
    var cpu: Double
  }

  /// Measures a round trip without the client, on a separate thread as with the client.
  private static func bareCost(_ descriptor: Int32) async -> Cost {
    await withCheckedContinuation { continuation in
      Thread.start { continuation.resume(returning: pingPong(descriptor)) }
    }
  }

  private static func pingPong(_ descriptor: Int32) -> Cost {
    var buffer = [UInt8](repeating: 0, count: 1024)
    let clock = Stopwatch()
    for _ in 0..<reads {
      _ = send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
      _ = recv(descriptor, &buffer, buffer.count, 0)
    }
    return clock.cost(of: reads)
  }

  /// The time since its creation, by the monotonic clock and as CPU time of all threads.
  private struct Stopwatch {
    private let wall = monotonicTime()
    private let cpu = processorTime()

    func cost(of count: Int) -> Cost {
      Cost(
        wall: (monotonicTime() - wall) / Double(count),
        cpu: (processorTime() - cpu) / Double(count))
    }
  }

  private actor Reader {
    private let client: GATTClient

    nonisolated var unownedExecutor: UnownedSerialExecutor { client.unownedExecutor }

    init(descriptor: Int32) throws {
      client = GATTClient(bearer: try SocketBearer(descriptor: descriptor, loop: .shared))
    }

    func cost(_ count: Int) async throws -> Cost {
      let clock = Stopwatch()
      for _ in 0..<count {
        guard try await client.read(3) == [0x64] else { throw WrongResponse() }
      }
      return clock.cost(of: count)
    }

    func close() async { await client.close() }
  }
}

private struct WrongResponse: Error {}

func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }

func hundredths(_ value: Double) -> String {
  let count = Int((value * 100).rounded())
  return "\(count / 100).\(count % 100 < 10 ? "0" : "")\(count % 100)"
}
