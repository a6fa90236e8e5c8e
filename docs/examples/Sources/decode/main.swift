import BluetoothCodec

// An advertisement: flags, the Battery Service, and a name.
let advertisement: Bytes = [
  0x02, 0x01, 0x06, 0x03, 0x03, 0x0F, 0x18, 0x05, 0x09, 0x42, 0x75, 0x64, 0x73,
]
let data = try AdvertisingData(decoding: advertisement)
print(data.localName ?? "unnamed", data.serviceUUIDs)

// What a headphone answers to a read of its battery level.
if case .response(.read(let value)) = try ATTServerPDU(decoding: [0x0B, 0x54]) {
  print("battery: \(value.first ?? 0) %")
}

// Bytes that are not what they should be say where and why.
do {
  _ = try ATTServerPDU(decoding: [0x01, 0x0A])
} catch {
  print(error)
}
