import BluetoothCodec
import HeadphoneProtocols

// What a Sony WH-CH720N said, as recorded: its generation, and its noise control.
let recorded: [Bytes] = [
  [0x3E, 0x0C, 0, 0, 0, 0, 0x08, 0x01, 0x00, 0x03, 0x00, 0x10, 0x02, 0x00, 0x00, 0x2A, 0x3C],
  [0x3E, 0x0C, 1, 0, 0, 0, 0x07, 0x67, 0x17, 0x01, 0x01, 0x01, 0x00, 0x14, 0xA9, 0x3C],
]

var sony = SonyProtocol(on: SonyProtocol.secondService)
for piece in recorded {
  for message in sony.messages(in: piece) {
    let parsed = sony.receive(message)
    for event in parsed.events { print(event) }
    if let reply = parsed.reply { print("acknowledge with", reply) }
  }
}
