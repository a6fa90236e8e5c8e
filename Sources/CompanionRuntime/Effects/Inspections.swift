internal import BluetoothAttributes
internal import BluetoothCodec
internal import Companion
internal import HeadphoneProtocols

/// The inspector page's reads, writes and subscriptions, over the existing connections.
///
/// The driver's GATT client is shared, and its requests are queued, so that inspecting neither
/// opens a link nor disturbs the driver for longer than its requests take. Every result is an
/// ``/Companion/Action/inspection(_:_:)``.
///
/// | call | actions that answer it |
/// | --- | --- |
/// | ``survey(_:over:send:)`` | `surveyed`, then a `value` for each attribute; else `failed` |
/// | ``read(_:_:over:send:)`` | `value`, also where the headphone refuses: `unreadable` |
/// | ``write(_:over:send:)`` | `written`, then a `value` where the attribute can be read |
/// | ``subscribe(_:_:isOn:over:send:)`` | `subscribed`, then a `value` for each notification |
///
/// If the link ends, that is reported elsewhere and no further action is sent.
@MainActor
final class Inspections {
  typealias Send = LiveEffectHandler.Send

  /// The running requests, which the program's end waits for; subscriptions are not among them.
  private let tasks: TaskRegistry

  private var subscriptions: [HeadphoneID: [UInt16: Task<Void, Never>]] = [:]

  init(tasks: TaskRegistry) { self.tasks = tasks }

  /// Discovers everything, then reads each readable value in handle order and sends it.
  func survey(_ id: HeadphoneID, over session: HeadphoneConnection?, send: @escaping Send) {
    tasks.run {
      guard let client = session?.attributes else {
        let why = session == nil ? "the link ended" : Inspector.lack
        return send(.inspection(id, .failed(why)))
      }
      do throws(GATTError) {
        let database = try await client.completeDatabase(withDescriptors: true)
        send(.inspection(id, .surveyed(database.services.map(InspectedService.init))))
        for handle in database.readableHandles {
          await self.read(handle, of: id, by: client, send)
          if await client.closed != nil { return }
        }
      } catch {
        send(.inspection(id, .failed(error.displayText)))
      }
    }
  }

  func read(
    _ id: HeadphoneID, _ handle: UInt16, over session: HeadphoneConnection?, send: @escaping Send
  ) {
    tasks.run {
      guard let client = session?.attributes else { return }
      await self.read(handle, of: id, by: client, send)
    }
  }

  /// Writes a value and reads it again; a write without response is done once the link has it.
  func write(_ write: AttributeWrite, over session: HeadphoneConnection?, send: @escaping Send) {
    tasks.run {
      @MainActor func report(_ failure: String?) {
        send(
          .inspection(
            write.headphone, .written(write.handle, bytes: write.bytes, failure: failure)))
      }
      guard let client = session?.attributes else { return report("the link ended") }
      if let refusal = HeadphoneFamily.refusal(
        of: write.bytes[...], to: write.handle, in: await client.database)
      {
        return report(refusal)
      }
      do throws(GATTError) {
        if write.withResponse {
          try await client.write(write.bytes[...], to: write.handle)
        } else {
          try await client.writeWithoutResponse(write.bytes[...], to: write.handle)
        }
        report(nil)
      } catch {
        return report(error.displayText)
      }
      // The read shows the effect of the written value.
      let characteristic = await client.database.characteristic(handle: write.handle)
      if characteristic?.properties.contains(.read) == true {
        await self.read(write.handle, of: write.headphone, by: client, send)
      }
    }
  }

  /// Starts or ends notifications.
  ///
  /// A replaced or ended subscription is first ended at the headphone, so that its actions never
  /// follow those of the new one.
  func subscribe(
    _ id: HeadphoneID, _ handle: UInt16, isOn: Bool, over session: HeadphoneConnection?,
    send: @escaping Send
  ) {
    let before = subscriptions[id]?.removeValue(forKey: handle)
    before?.cancel()
    guard isOn else {
      tasks.run {
        await before?.value
        send(.inspection(id, .subscribed(handle, isOn: false, failure: nil)))
      }
      return
    }
    subscriptions[id, default: [:]][handle] = Task {
      await before?.value
      await follow(handle, of: id, over: session, send)
    }
  }

  func close() {
    for task in subscriptions.values.flatMap(\.values) { task.cancel() }
    subscriptions = [:]
  }

  private func follow(
    _ handle: UInt16, of id: HeadphoneID, over session: HeadphoneConnection?, _ send: @escaping Send
  ) async {
    guard let client = session?.attributes,
      let characteristic = await client.database.characteristic(handle: handle)
    else {
      return send(.inspection(id, .subscribed(handle, isOn: true, failure: "the link ended")))
    }
    do throws(GATTError) {
      let values = try await client.subscribe(to: characteristic)
      send(.inspection(id, .subscribed(handle, isOn: true, failure: nil)))
      var iterator = values.makeAsyncIterator()
      while !Task.isCancelled, let received = try await iterator.next(isolation: #isolation) {
        let content = InspectedValue.Content(received.value, of: characteristic.uuid)
        send(.inspection(id, .value(handle, content, isReported: true)))
      }
      // In a separate task, because this one is cancelled but the headphone must stop notifying.
      await Task { _ = try? await client.unsubscribe(values) }.value
    } catch {
      if case .closed = error { return }
      send(.inspection(id, .subscribed(handle, isOn: true, failure: error.displayText)))
    }
  }

  /// Reads a value and sends it, or the error; nothing is sent if the link is closed.
  private func read(
    _ handle: UInt16, of id: HeadphoneID, by client: GATTClient, _ send: Send
  ) async {
    let content: InspectedValue.Content
    do throws(GATTError) {
      let value = try await client.read(handle)
      content = .init(value, of: await client.database.type(of: handle))
    } catch .closed {
      return
    } catch {
      content = .unreadable(error.displayText)
    }
    send(.inspection(id, .value(handle, content, isReported: false)))
  }
}

extension Database {
  fileprivate var readableHandles: [UInt16] {
    services.flatMap(\.characteristics).flatMap { characteristic in
      (characteristic.properties.contains(.read) ? [characteristic.handle] : [])
        + (characteristic.descriptors ?? []).map(\.handle)
    }
  }
}

extension InspectedService {
  init(_ service: Service) {
    self.init(
      title: service.uuid.title, start: service.range.start, end: service.range.end,
      characteristics: service.characteristics.map(InspectedCharacteristic.init))
  }
}

extension InspectedCharacteristic {
  /// Creates the properties; indications count as notifications.
  init(_ characteristic: Characteristic) {
    var abilities: Abilities = []
    let properties = characteristic.properties
    if properties.contains(.read) { abilities.insert(.read) }
    if properties.contains(.write) { abilities.insert(.write) }
    if properties.contains(.writeWithoutResponse) { abilities.insert(.writeWithoutResponse) }
    if !properties.isDisjoint(with: [.notify, .indicate]) { abilities.insert(.subscribe) }
    self.init(
      title: characteristic.uuid.title, handle: characteristic.handle,
      properties: "\(properties)", abilities: abilities,
      descriptors: (characteristic.descriptors ?? []).map {
        InspectedDescriptor(title: $0.uuid.title, handle: $0.handle)
      })
  }
}

extension InspectedValue.Content {
  init(_ value: Bytes, of type: BluetoothUUID?) {
    let bytes = Array(value)
    self = .bytes(bytes, displayText: type.flatMap { bytes.meaning(as: $0) } ?? bytes.quoted)
  }
}
