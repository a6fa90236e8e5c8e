import BluetoothAttributes
import BluetoothRadio
import HeadphoneDrivers
import HeadphoneProtocols
import VirtualHeadphones

let radio = VirtualRadio([.aurora])
let address = radio.headphones[0].model.address
let client = GATTClient(bearer: try await radio.connect(to: address, timeout: .seconds(10)))

// The driver finds out what kind of headphone it is; its events come in order.
let (emitter, elements) = EventEmitter.makeStream()
let driver = GATTDriver(client: client, emitter: emitter)
let description = try await driver.start()
print(description.driver, description.capabilities.ancModes)

// Returns when the headphone has confirmed it, and throws what is wrong otherwise.
try await driver.perform(.setANC(.transparency))
await client.close()

for await element in elements {
  if case .event(.ancChanged(let mode)) = element { print("noise control: \(mode)") }
}
