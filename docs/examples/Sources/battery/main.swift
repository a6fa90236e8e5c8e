import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import EventLoop

/// Serves a battery level of 84 % on a bearer until its link ends.
func serve(_ bearer: any Bearer) async {
  let level = CharacteristicDefinition(.bit16(0x2A19), [.read, .notify], value: [84])
  var server = GATTServer([ServiceDefinition(.bit16(0x180F), [level])])
  while let pdu = try? await bearer.receive() {
    for case .send(let response) in server.receive(pdu) { try? await bearer.send(response) }
  }
}

// Two ends of one link; a radio's `connect` returns a bearer of the same kind.
let (ours, theirs) = try SocketBearer.pair(loop: .shared)
Task { await serve(theirs) }

let client = GATTClient(bearer: ours)
try await client.exchangeMTU()
try await client.discover()
if let level = await client.database.characteristic(.bit16(0x2A19)) {
  print("battery: \(try await client.read(level.handle).first ?? 0) %")
}
await client.close()
