import BlueZ
import BluetoothAttributes
import BluetoothKernel
import BluetoothRadio
import VirtualHeadphones

// Without an argument on the virtual radio, which needs no hardware; with one, on an adapter: "hci0".
let radio: any Radio =
  if CommandLine.arguments.count > 1 {
    // bluetoothd, where it runs, and the kernel's sockets otherwise.
    BlueZRadio(
      over: LinuxRadio(adapter: CommandLine.arguments[1]),
      client: BlueZClient(adapter: CommandLine.arguments[1], agent: PairingAgent()))
  } else {
    VirtualRadio([.aurora])
  }

for try await found in radio.scan(ScanOptions(duration: .seconds(5))) {
  print(found.peer.address, found.data.localName ?? "unnamed", found.rssi.map { "\($0) dBm" } ?? "")
  let client = GATTClient(bearer: try await radio.connect(to: found.peer, timeout: .seconds(10)))
  try await client.discover()
  if let level = await client.database.characteristic(.bit16(0x2A19)) {
    print("battery: \(try await client.read(level.handle).first ?? 0) %")
  }
  await client.close()
  break
}
