internal import BluetoothCodec
internal import Companion
internal import GATT
internal import HeadphoneProtocols

/// The inspector page's reads, writes and subscriptions, over the existing connections.
@MainActor
final class Inspections {
  typealias Send = LiveEffectHandler.Send

  private let tasks: TaskRegistry

  /// Active subscriptions, by headphone and value handle.
  private var subscriptions: [HeadphoneID: [UInt16: Task<Void, Never>]] = [:]

  init(tasks: TaskRegistry) { self.tasks = tasks }

  func survey(_ id: HeadphoneID, over session: HeadphoneConnection?, send: @escaping Send) {
    tasks.run {
      guard let client = await session?.attributes else {
        let why = session == nil ? "the link ended" : "this kind of link has no GATT attributes"
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
      guard let client = await session?.attributes else { return }
      await self.read(handle, of: id, by: client, send)
    }
  }

  func write(_ write: AttributeWrite, over session: HeadphoneConnection?, send: @escaping Send) {
    tasks.run {
      @MainActor func report(_ failure: String?) {
        send(
          .inspection(
            write.headphone, .written(write.handle, bytes: write.bytes, failure: failure)))
      }
      guard let client = await session?.attributes else { return report("the link ended") }
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
      // A read shows what the headphone made of the written value.
      let characteristic = await client.database.characteristic(handle: write.handle)
      if characteristic?.properties.contains(.read) == true {
        await self.read(write.handle, of: write.headphone, by: client, send)
      }
    }
  }

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

  /// Cancels everything; subscriptions at the headphones end with their links.
  func close() {
    for task in subscriptions.values.flatMap(\.values) { task.cancel() }
    subscriptions = [:]
  }

  private func follow(
    _ handle: UInt16, of id: HeadphoneID, over session: HeadphoneConnection?, _ send: @escaping Send
  ) async {
    guard let client = await session?.attributes,
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
      // In a task of its own, because the caller's is cancelled: the headphone must stop notifying.
      await Task { _ = try? await client.unsubscribe(values) }.value
    } catch {
      if case .closed = error { return }
      send(.inspection(id, .subscribed(handle, isOn: true, failure: error.displayText)))
    }
  }

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
  /// The handles of readable values and of all descriptors.
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
