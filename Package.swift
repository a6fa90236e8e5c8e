// swift-tools-version: 6.3
import PackageDescription

/// What every Swift target of the house is built with.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A library target of the house; `uses` is all that it may import (docs/architecture.md).
func room(
  _ name: String, uses: [Target.Dependency] = [], resources: [Resource] = []
) -> Target {
  .target(name: name, dependencies: uses, resources: resources, swiftSettings: strict)
}

/// The tests of a room, with what else they need.
func tests(of name: String, uses: [Target.Dependency] = [], resources: [String] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name), "TestSupport"] + uses,
    exclude: resources,
    swiftSettings: strict)
}

let arguments: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let tomlKit: Target.Dependency = .product(name: "TOMLKit", package: "TOMLKit")
let customDump: Target.Dependency = .product(name: "CustomDump", package: "swift-custom-dump")

let package = Package(
  name: "earshot",
  products: [.executable(name: "earshot", targets: ["earshot"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.7.3"),
  ],
  targets: [
    // C at the bottom: module maps and the smallest shims.
    .systemLibrary(name: "CBluetooth", providers: [.apt(["libbluetooth-dev"])]),
    .systemLibrary(name: "CNcurses", providers: [.apt(["libncursesw5-dev"])]),
    .systemLibrary(name: "CPulse", providers: [.apt(["libpulse-dev"])]),
    .systemLibrary(name: "CSystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CPoll"),
    .target(name: "CTerminalGuard"),

    // Pure in the middle.
    room("TOML", uses: [tomlKit]),
    room("BluetoothCodec"),
    room("GATT", uses: ["BluetoothCodec"]),
    room("FirmwareCrypto", uses: [crypto]),
    room("Headphones", uses: ["BluetoothCodec", "GATT", "FirmwareCrypto"]),
    room("Companion", uses: ["Headphones", "AudioRoute"]),

    // The world at the edge.
    room("Descriptors", uses: ["CPoll", "BluetoothCodec", "GATT"]),
    room("BluetoothLinux", uses: ["CBluetooth", "BluetoothCodec", "GATT", "Descriptors"]),
    room(
      "VirtualHeadphones",
      uses: ["BluetoothCodec", "GATT", "Descriptors", "FirmwareCrypto", "Headphones"]),
    room("AudioRoute", uses: ["CPulse"]),
    room("SessionBus", uses: ["CSystemd", "Descriptors"]),
    room(
      "CompanionRuntime",
      uses: [
        "BluetoothCodec", "GATT", "Descriptors", "BluetoothLinux", "FirmwareCrypto", "Headphones",
        "VirtualHeadphones", "AudioRoute", "SessionBus", "Companion", logging,
      ]),
    room(
      "TerminalUI",
      uses: [
        "Descriptors", "Headphones", "AudioRoute", "Companion", "CNcurses", "CTerminalGuard",
      ]),
    room(
      "Configuration",
      uses: ["TOML", "BluetoothCodec", "Headphones", "Companion", "TerminalUI"],
      // In the program itself: a static binary needs no files beside it.
      resources: [.embedInCode("Models")]),
    .executableTarget(
      name: "earshot",
      dependencies: [
        "Configuration", "BluetoothCodec", "GATT", "Descriptors", "BluetoothLinux",
        "FirmwareCrypto", "Headphones",
        "VirtualHeadphones", "AudioRoute", "Companion", "CompanionRuntime", "TerminalUI",
        "CPoll", arguments, logging,
      ],
      swiftSettings: strict),

    .executableTarget(
      name: "earshot-bench",
      dependencies: [
        "CPoll", "GATT", "Descriptors", "BluetoothCodec", "Headphones", "VirtualHeadphones",
      ],
      swiftSettings: strict),

    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
    tests(of: "TOML"),
    tests(of: "BluetoothCodec"),
    tests(of: "GATT", uses: ["BluetoothCodec", "Descriptors"]),
    tests(of: "Descriptors", uses: ["GATT", "BluetoothCodec"]),
    tests(of: "BluetoothLinux", uses: ["GATT", "BluetoothCodec"]),
    tests(of: "FirmwareCrypto"),
    tests(
      of: "Headphones", uses: ["BluetoothCodec", "GATT", "FirmwareCrypto", "Configuration"]),
    tests(
      of: "VirtualHeadphones",
      uses: [
        "BluetoothCodec", "GATT", "Headphones", "Descriptors", "FirmwareCrypto", "Configuration",
      ]),
    tests(of: "AudioRoute"),
    tests(of: "SessionBus", uses: ["CSystemd", "Descriptors"]),
    tests(of: "Companion", uses: ["Headphones", "AudioRoute", customDump]),
    tests(
      of: "CompanionRuntime",
      uses: [
        "Companion", "Headphones", "AudioRoute", "GATT", "BluetoothCodec", "Descriptors",
        "BluetoothLinux", "SessionBus", "FirmwareCrypto",
        "VirtualHeadphones", "Configuration", logging,
      ]),
    tests(
      of: "Configuration", uses: ["BluetoothCodec", "Headphones", "Companion", "TerminalUI"]),
    tests(
      of: "TerminalUI",
      uses: [
        "Companion", "Headphones", "AudioRoute", "Descriptors", "CNcurses", "Configuration",
      ],
      resources: ["Screens"]),
  ]
)
