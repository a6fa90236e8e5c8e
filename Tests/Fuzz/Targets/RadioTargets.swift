import BluetoothCodec
import BluetoothRadio
import Configuration
import Diagnostics
import HeadphoneProtocols
import VirtualHeadphones

@testable import BluetoothKernel

/// Feeds advertisements of many devices, which anyone in range can send.
func fuzzAdvertising(_ input: inout FuzzInput) throws(BrokenPromise) {
  var peers = PeerTable(ScanOptions())
  var time = Duration.zero
  while !input.isEmpty {
    let data = input.chunk()
    let (salvaged, problem) = AdvertisingData.salvaging(data)
    if problem == nil {
      let again = try? AdvertisingData(decoding: data)
      try promise(again == salvaged, "two readings of sound data are one")
    }
    _ = try? HeadphoneAdvertisement(decoding: data)
    _ = try? FastPairAdvertisement(decoding: data)
    _ = try? ProximityAdvertisement(decoding: data, .bundled)
    _ = (salvaged.localName, salvaged.serviceUUIDs, salvaged.flags, salvaged.txPower)
    var report = AdvertisingReport(
      AdvertisingProperties(rawValue: input.byte()), addressType: .random,
      address: BluetoothAddress(value: UInt64(input.byte())), rssi: Int8(bitPattern: input.byte()),
      data: data)
    report.dataStatus = input.choice([.complete, .moreToCome, .truncated])
    time += .milliseconds(Int(input.byte()) * 10)
    _ = peers.receive(report, at: time) { _ in }
    try promise(peers.count <= PeerTable.limit, "there are no more peripherals than are kept")
  }
}

/// Feeds a controller's events and commands to a scan and the list of links.
func fuzzHCI(_ input: inout FuzzInput) throws(BrokenPromise) {
  var scan = ScanProcedure(adapter: "hci0", own: .public)
  var links = ConnectionTable([])
  var link = LinkEventState(connection: 0x0040)
  var time = Duration.zero
  _ = scan.start(at: time)
  while !input.isEmpty {
    time += .milliseconds(Int(input.byte()) * 20)
    _ = scan.tick(at: time)
    let bytes = input.chunk()
    _ = try? RadioLink.decode(bytes)
    _ = try? HCICommand(decoding: bytes)
    guard let packet = try? HCIPacket(decoding: bytes) else { continue }
    _ = scan.receive(packet, at: time)
    if case .event(let event) = packet {
      _ = links.receive(event)
      link.receive(event)
    }
    if let encoded = try? packet.encoded() {
      let again = try? HCIPacket(decoding: encoded[...])
      try promise(again == packet, "what is written of \(packet) reads as the same")
    }
  }
  _ = scan.stop(at: time)
}

/// Feeds events of the kernel's management channel.
func fuzzManagement(_ input: inout FuzzInput) throws(BrokenPromise) {
  while !input.isEmpty {
    let bytes = input.chunk()
    if let packet = try? ManagementEventPacket(decoding: bytes), let encoded = try? packet.encoded()
    {
      let again = try? ManagementEventPacket(decoding: encoded[...])
      try promise(again == packet, "what is written of \(packet) reads as the same")
    }
    if let packet = try? ManagementCommandPacket(decoding: bytes),
      let encoded = try? packet.encoded()
    {
      let again = try? ManagementCommandPacket(decoding: encoded[...])
      try promise(again == packet, "what is written of \(packet) reads as the same")
    }
  }
}

/// Feeds responses of a service discovery server, in parts.
func fuzzSDP(_ input: inout FuzzInput) throws(BrokenPromise) {
  let questions: [ServiceDiscovery] = [
    .product(transaction: 1), .serialServices(transaction: 1),
    .channel(for: .bit16(0x1101), transaction: 1),
  ]
  var discovery = input.choice(questions)
  var responses = 0
  while !input.isEmpty {
    // With the header that its transaction expects, so that the content is reached.
    let parameters = input.chunk()
    let head: [UInt8] = [0x07, 0x00, 0x01, 0x00, UInt8(parameters.count)]
    let response = input.byte().isMultiple(of: 8) ? parameters : head + parameters
    responses += 1
    let records: ServiceDiscovery.Records?
    do { records = try discovery.receive(response) } catch { return }
    guard let records else {
      try promise(responses <= 4096, "an answer comes to an end")
      _ = discovery.request
      continue
    }
    _ = ProductID(records)
    _ = SerialChannel(records)
    _ = SerialChannel.services(records)
    return
  }
}

/// Feeds another program's capture to redaction and analysis.
func fuzzCapture(_ input: inout FuzzInput) throws(BrokenPromise) {
  var redaction = CaptureRedaction()
  let datalink = input.choice([BtsnoopDatalink.uart, .monitor])
  let bytes = input.rest()
  _ = try? BtsnoopHeader(decoding: bytes)
  if var file = try? BtsnoopFile(bytes) {
    var traffic = CapturedTraffic()
    while let record = try? file.next() {
      _ = redaction.redact(record, of: file.header.datalink)
      traffic.receive(record, of: file.header.datalink)
    }
    for channel in CaptureFindings(in: traffic).channels {
      for message in channel.messages {
        try promise(
          message.changed.allSatisfy { $0 < message.bytes.count }, "what changed is in the message")
      }
    }
  }
  let record = BtsnoopRecord(uart: bytes, isReceived: true, time: BtsnoopTime(microseconds: 0))
  let redacted = redaction.redact(record, of: datalink)
  try promise(redacted.data.count == record.data.count, "redaction keeps the length")
}
