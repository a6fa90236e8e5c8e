import CSystemd
import Glibc
import JSON

@testable import BlueZ
@testable import DBus
@testable import Sharing
@testable import TerminalUI

/// Feeds values from the bus: written values are read back, and objects may be anything.
func fuzzDBus(_ input: inout FuzzInput) throws(BrokenPromise) {
  let device = "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5"
  var tree = DBusObjectTree()
  var attributes: RemoteAttributes?
  // The machine may have no sockets left.
  guard let signal = newSignal() else { return }
  let message = DBusMessage(adopting: signal)
  while !input.isEmpty {
    switch input.byte() % 8 {
    case 0:
      let interfaces = DBusValue.dictionary(
        key: "s", value: "a{sv}", [.string(name(&input)): .options(properties(&input))])
      _ = tree.apply(
        DBusSignal(
          "InterfacesAdded", of: "org.freedesktop.DBus.ObjectManager", at: "/",
          [.objectPath(path(&input, under: device)), interfaces]))
    case 1: _ = try? tree.replace(with: [value(&input, depth: 0)])
    case 2:
      _ = tree.apply(
        DBusSignal(
          "PropertiesChanged", of: "org.freedesktop.DBus.Properties",
          at: path(&input, under: device),
          [.string(name(&input)), value(&input, depth: 0), .strings([name(&input)])]))
    case 3: _ = BlueZDevice(at: device, properties(&input))
    case 4: attributes = RemoteAttributes(tree, of: device)
    case 5: _ = attributes?.receive(input.chunk())
    case 6: _ = attributes?.pushed(Array(input.chunk()), of: path(&input, under: device))
    default:
      let written = value(&input, depth: 0)
      guard (try? message.append(written)) != nil else { return }
      _ = written.table
    }
  }
  sd_bus_message_seal(message.pointer, 1, 0)
  _ = try? message.arguments()
}

private func name(_ input: inout FuzzInput) -> String {
  input.choice([
    "org.bluez.Device1", "org.bluez.GattService1", "org.bluez.GattCharacteristic1",
    "org.bluez.GattDescriptor1", "org.bluez.Adapter1", "Address", "UUID", "Flags", "Name", "Class",
    "ManufacturerData", "ServiceData", "UUIDs", "AddressType", "RSSI", "Modalias", "Appearance",
  ])
}

private func path(_ input: inout FuzzInput, under device: String) -> String {
  let service = String(input.word(), radix: 16)
  return switch input.byte() % 4 {
  case 0: device
  case 1: "\(device)/service\(service)"
  case 2: "\(device)/service0001/char\(service)"
  default: "\(device)/service0001/char0002/desc\(service)"
  }
}

private func properties(_ input: inout FuzzInput) -> [String: DBusValue] {
  var properties: [String: DBusValue] = [:]
  for _ in 0..<input.byte() % 8 { properties[name(&input)] = value(&input, depth: 0) }
  return properties
}

private func value(_ input: inout FuzzInput, depth: Int) -> DBusValue {
  let kind = input.byte() % (depth < 20 ? 18 : 12)
  switch kind {
  case 0: return .byte(input.byte())
  case 1: return .boolean(input.byte() > 0x7F)
  case 2: return .int16(Int16(bitPattern: input.word()))
  case 3: return .uint16(input.word())
  case 4: return .int32(Int32(bitPattern: UInt32(input.word()) << 16))
  case 5: return .uint32(UInt32(input.word()))
  case 6: return .int64(Int64(bitPattern: UInt64(input.word()) << 48))
  case 7: return .uint64(UInt64(input.word()) << 48)
  case 8: return .double(Double(input.word()))
  case 9: return .string(input.text())
  case 10:
    return .string(
      input.choice(["F0:F1:F2:F3:F4:F5", "random", "0000180f-0000-1000-8000-00805f9b34fb"]))
  case 11: return .bytes(Array(input.chunk()))
  case 12: return .objectPath("/org/bluez/hci0")
  case 13:
    let count = input.byte() % 8
    return .strings((0..<count).map { _ in input.choice(["notify", "indicate", "read", "write"]) })
  case 14: return .variant(value(&input, depth: depth + 1))
  case 15: return .options(["a": value(&input, depth: depth + 1)])
  case 16: return .structure([value(&input, depth: depth + 1), .byte(1)])
  default:
    let key = DBusValue.uint16(input.word())
    return .dictionary(key: "q", value: "v", [key: .variant(value(&input, depth: depth + 1))])
  }
}

/// Returns a signal without arguments on a separate bus; the caller owns the reference.
private func newSignal() -> OpaquePointer? {
  var ends: [Int32] = [-1, -1]
  guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return nil }
  defer { close(ends[1]) }
  var bus: OpaquePointer?
  guard sd_bus_new(&bus) >= 0, let bus else {
    close(ends[0])
    return nil
  }
  // The message keeps the bus, and the bus its socket.
  defer { sd_bus_unref(bus) }
  var signal: OpaquePointer?
  guard sd_bus_set_fd(bus, ends[0], ends[0]) >= 0, sd_bus_start(bus) >= 0,
    sd_bus_message_new_signal(bus, &signal, "/a", "a.b", "c") >= 0
  else { return nil }
  return signal
}

/// Feeds lines on the owner's socket, to which any process of the same user may connect.
func fuzzOwner(_ input: inout FuzzInput) throws(BrokenPromise) {
  var buffer = LineBuffer()
  while !input.isEmpty {
    buffer.append(input.chunk())
    while let line = buffer.next() {
      try promise(!line.contains(LineBuffer.newline), "a line has no end inside")
      if let request = try? Request(line: line) {
        let again = try? Request(line: Array("\(request.json)".utf8))
        // Without a step and with `resolve`, a screen is a screen.
        try promise(again == request, "a request that is written reads as the same")
        _ = request.path("a")
        if case .screen(let json) = request.purpose { _ = ScreenRequest(json: json) }
      }
      if let message = OwnerMessage(line: line) {
        try promise(
          OwnerMessage(line: Array("\(message.json)".utf8)) == message,
          "a message that is written reads as the same")
      }
      if let message = ClientMessage(line: line) {
        try promise(
          ClientMessage(line: Array("\(message.json)".utf8)) == message,
          "a message that is written reads as the same")
      }
      _ = ScreenInput(line: line)
      if case .frame(let size, _, _, _)? = ScreenOutput(line: line) {
        try promise(
          size.columns * size.rows <= 200_000, "a frame is no larger than a screen may be")
      }
    }
  }
  _ = buffer.rest()
}

/// Feeds terminal input (keys, partial sequences, pastes), and text for the terminal.
func fuzzTerminal(_ input: inout FuzzInput) throws(BrokenPromise) {
  var parser = ControlSequenceParser()
  var paste = PasteBuffer()
  while !input.isEmpty {
    if input.byte().isMultiple(of: 8) { receive(parser.pause()) }
    let text = input.text()
    for scalar in text.unicodeScalars {
      paste.add(scalar)
      receive(parser.parse(scalar))
    }
    for glyph in IteratorSequence(GlyphSequence(text)) {
      for scalar in [glyph.base] + glyph.markScalars {
        try promise(
          scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value),
          "no control character reaches the terminal")
      }
    }
    _ = Key(name: text)
  }
  try promise(paste.text.unicodeScalars.count <= 4096, "a paste is cut")

  func receive(_ outputs: [ControlSequenceParser.Output]) {
    for case .scalar(let scalar) in outputs { _ = Key(scalar: scalar)?.name }
  }
}
