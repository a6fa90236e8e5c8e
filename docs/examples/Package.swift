// swift-tools-version: 6.3
import PackageDescription

// One program for each library of docs/libraries.md. From elsewhere, the dependency has a URL and a version in place of a
// path.
let package = Package(
  name: "examples",
  dependencies: [.package(name: "earshot", path: "../..")],
  targets: [
    example("decode", uses: "BluetoothCodec"),
    example("battery", uses: "BluetoothAttributes"),
    example("scan", uses: "BluetoothAttributes", "BluetoothKernel", "VirtualHeadphones"),
    example("control", uses: "HeadphoneDrivers", "VirtualHeadphones"),
    example("replay", uses: "HeadphoneProtocols"),
  ])

func example(_ name: String, uses products: String...) -> Target {
  .executableTarget(
    name: name, dependencies: products.map { .product(name: $0, package: "earshot") })
}
