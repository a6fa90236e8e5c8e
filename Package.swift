// swift-tools-version: 6.3
import PackageDescription

/// Whether this is a build by scripts/build and its like, with warnings as errors and the program's own code generation.
///
/// A package that depends on this one gets neither: SwiftPM refuses unsafe flags in a dependency, and a warning of a later
/// compiler must not break its build.
let isOwnBuild = Context.environment["EARSHOT_BUILD"] != nil

/// Swift settings shared by all targets.
let strict: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ]
  // A section for each function, so that the linker can drop unused ones and fold equal ones (scripts/build).
  + own([.treatAllWarnings(as: .error), unsafe("-Xfrontend", "-function-sections")])

/// Small code, for targets in which speed gains little (docs/records/performance.md).
let small = strict + own([unsafe("-Osize")])

/// No optimisation in a release build either.
///
/// Such a module would be parsed twice, once for its interface alone.
let unoptimised = strict + own([unsafe("-Onone", "-no-emit-module-separately-wmo")])

/// Returns settings of this package's own builds.
func own(_ settings: [SwiftSetting]) -> [SwiftSetting] { isOwnBuild ? settings : [] }

/// Returns flags of the compiler for a release build.
func unsafe(_ flags: String...) -> SwiftSetting {
  .unsafeFlags(flags, .when(configuration: .release))
}

/// A build for tests (scripts/build --tests), in which only ciphers, event loop and drawing are optimised: the rest takes
/// longer to optimise than it then saves (docs/testing.md).
let isForTests = Context.environment["EARSHOT_FOR_TESTS"] != nil

/// A library target, which may import only what `uses` names (docs/architecture.md).
func library(
  _ name: String, uses: [Target.Dependency] = [], resources: [Resource] = [],
  settings: [SwiftSetting] = strict, forTests: [SwiftSetting] = unoptimised
) -> Target {
  .target(
    name: name, dependencies: uses, resources: resources,
    swiftSettings: isForTests ? forTests : settings,
    // Rounding is a function of libm, which a program without Foundation does not link.
    linkerSettings: [.linkedLibrary("m")])
}

/// The test target of a library, with its other dependencies.
func tests(of name: String, uses: [Target.Dependency] = [], resources: [String] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name), "TestSupport"] + uses,
    exclude: resources,
    swiftSettings: unoptimised)
}

let arguments: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let customDump: Target.Dependency = .product(name: "CustomDump", package: "swift-custom-dump")

/// The test targets that EARSHOT_TESTS names, or nil for all.
let wantedTests = Context.environment["EARSHOT_TESTS"]?.split(separator: " ").map(String.init)

let package = Package(
  name: "earshot",
  products: [
    .executable(name: "earshot", targets: ["earshot"]),
    // The libraries for other packages (docs/libraries.md).
    .library(name: "BluetoothCodec", targets: ["BluetoothCodec"]),
    .library(
      name: "BluetoothAttributes", targets: ["BluetoothRadio", "BluetoothAttributes", "EventLoop"]),
    .library(name: "BluetoothKernel", targets: ["BluetoothRadio", "BluetoothKernel", "BlueZ"]),
    .library(name: "HeadphoneProtocols", targets: ["HeadphoneProtocols"]),
    .library(name: "HeadphoneDrivers", targets: ["HeadphoneDrivers", "FirmwareCrypto"]),
    .library(name: "VirtualHeadphones", targets: ["VirtualHeadphones"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ]
    + (wantedTests == []
      ? [] : [.package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.7.3")]),
  targets: [
    // C: module maps and the smallest shims.
    .systemLibrary(name: "CBluetooth", providers: [.apt(["libbluetooth-dev"])]),
    .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
    .systemLibrary(name: "CPulse", providers: [.apt(["libpulse-dev"])]),
    .systemLibrary(name: "CSodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CPoll"),
    .target(name: "CTerminalGuard"),
    // libsystemd, which is loaded when D-Bus is first used.
    .target(name: "CSystemd"),
    // The table is embedded by the preprocessor.
    .target(name: "CCorrections", exclude: ["corrections.tsv", "LICENSE"]),

    // Pure.
    library("Locking"),
    library("TOML", settings: small),
    library("JSON"),
    library("BluetoothCodec", uses: ["CBluetooth"], forTests: strict),
    library("BluetoothRadio", uses: ["Locking", "BluetoothCodec"]),
    library("BluetoothAttributes", uses: ["Locking", "BluetoothCodec", "BluetoothRadio"]),
    library("HeadphoneProtocols", uses: ["BluetoothCodec"], settings: small),
    library(
      "FirmwareCrypto", uses: ["CSodium", "BluetoothCodec", "HeadphoneProtocols"], settings: small),
    library(
      "HeadphoneDrivers",
      uses: [
        "Locking", "BluetoothCodec", "BluetoothRadio", "BluetoothAttributes", "HeadphoneProtocols",
      ]),
    library(
      "Companion",
      uses: ["BluetoothCodec", "BluetoothRadio", "HeadphoneProtocols", "AudioRoute", "Desktop"],
      // In the program itself: a static binary needs no files beside it.
      resources: [.embedInCode("Security/Advisories")], settings: small),

    // I/O.
    library(
      "EventLoop",
      uses: ["Locking", "CPoll", "CTerminalGuard", "BluetoothCodec", "BluetoothRadio"],
      forTests: strict),
    library(
      "BluetoothKernel",
      uses: ["Locking", "CBluetooth", "BluetoothCodec", "BluetoothRadio", "EventLoop"],
      settings: small),
    library(
      "VirtualHeadphones",
      uses: [
        "Locking", "BluetoothCodec", "BluetoothRadio", "BluetoothAttributes", "EventLoop",
        "HeadphoneProtocols", "FirmwareCrypto",
      ], settings: small),
    library("AudioRoute", uses: ["Locking", "CPulse", "JSON", "EventLoop"], settings: small),
    library("DBus", uses: ["CSystemd", "EventLoop"], settings: small),
    library("Desktop", uses: ["DBus", "EventLoop"], settings: small),
    library(
      "BlueZ", uses: ["Locking", "BluetoothCodec", "BluetoothRadio", "EventLoop", "DBus"],
      settings: small),
    library(
      "Persistence",
      uses: [
        "Locking", "JSON", "BluetoothCodec", "BluetoothRadio", "BluetoothAttributes",
        "HeadphoneProtocols", "FirmwareCrypto",
        "Companion",
        "EventLoop", logging,
      ], settings: small),
    library(
      "Diagnostics",
      uses: [
        "Locking", "BluetoothCodec", "BluetoothRadio", "HeadphoneProtocols", "Companion",
        "EventLoop",
        "BluetoothKernel",
        "AudioRoute", "Persistence",
      ], settings: small),
    library(
      "CompanionRuntime",
      uses: [
        "Locking", "JSON", "BluetoothCodec", "BluetoothRadio", "BluetoothAttributes", "EventLoop",
        "HeadphoneProtocols", "FirmwareCrypto",
        "HeadphoneDrivers", "AudioRoute", "DBus", "Desktop", "Companion", "Persistence",
        "CCorrections",
      ], settings: small),
    library(
      "TerminalUI",
      uses: [
        "BluetoothRadio", "EventLoop", "HeadphoneProtocols", "AudioRoute", "Companion", "CNcurses",
        "CTerminalGuard",
      ], settings: small, forTests: small),
    library(
      "Configuration",
      uses: [
        "TOML", "BluetoothCodec", "HeadphoneProtocols", "FirmwareCrypto", "Companion", "EventLoop",
        "Persistence", "TerminalUI",
      ],
      // In the program itself: a static binary needs no files beside it.
      resources: [.embedInCode("Models")], settings: small),
    library(
      "Sharing",
      uses: [
        "Locking", "CPoll", "JSON", "BluetoothCodec", "BluetoothRadio", "HeadphoneProtocols",
        "FirmwareCrypto", "EventLoop", "AudioRoute",
        "DBus", "Companion", "Persistence",
        "CompanionRuntime", "TerminalUI", "Configuration",
      ], settings: small),
    .executableTarget(
      name: "earshot",
      dependencies: [
        "Configuration", "BluetoothCodec", "BluetoothRadio", "BluetoothAttributes", "EventLoop",
        "BluetoothKernel",
        "HeadphoneProtocols", "FirmwareCrypto", "HeadphoneDrivers", "VirtualHeadphones",
        "AudioRoute", "BlueZ", "DBus", "Desktop", "Companion", "JSON", "Persistence", "Diagnostics",
        "CompanionRuntime", "TerminalUI", "Sharing", arguments, logging,
      ],
      swiftSettings: isForTests ? unoptimised : small),

    .target(name: "CAllocations"),
    .executableTarget(
      name: "earshot-bench",
      dependencies: [
        "CAllocations", "Locking", "CPoll", "BluetoothRadio", "BluetoothAttributes", "EventLoop",
        "BluetoothKernel",
        "BluetoothCodec",
        "HeadphoneProtocols", "FirmwareCrypto", "JSON", "VirtualHeadphones", "LinkSimulation",
        "AudioRoute",
        "Companion", "CompanionRuntime", "Persistence", "TerminalUI", "TestSupport",
      ],
      swiftSettings: strict),

    .target(
      name: "TestSupport", dependencies: ["Locking", "AudioRoute"], path: "Tests/TestSupport",
      swiftSettings: strict),
    // An update over a simulated link, for tests and for the benchmark.
    .target(
      name: "LinkSimulation",
      dependencies: ["BluetoothCodec", "HeadphoneProtocols", "VirtualHeadphones"],
      path: "Tests/LinkSimulation", swiftSettings: strict),
    tests(of: "TOML"),
    tests(of: "JSON"),
    tests(of: "BluetoothCodec"),
    tests(
      of: "BluetoothAttributes", uses: ["Locking", "BluetoothCodec", "BluetoothRadio", "EventLoop"]),
    tests(
      of: "EventLoop",
      uses: ["Locking", "CPoll", "BluetoothRadio", "BluetoothAttributes", "BluetoothCodec"]),
    tests(
      of: "BluetoothKernel",
      uses: ["CBluetooth", "Locking", "BluetoothRadio", "BluetoothAttributes", "BluetoothCodec"]),
    tests(of: "FirmwareCrypto"),
    tests(
      of: "HeadphoneProtocols",
      uses: [
        "BluetoothCodec", "BluetoothRadio", "BluetoothAttributes", "FirmwareCrypto",
        "Configuration", "TOML",
        "VirtualHeadphones", "Diagnostics",
      ],
      resources: ["Bytes", "Conversations", "Drivers/sonoflow.toml", "Evidence/unanswered.txt"]),
    tests(
      of: "HeadphoneDrivers", uses: ["BluetoothCodec", "BluetoothAttributes", "HeadphoneProtocols"]),
    tests(
      of: "VirtualHeadphones",
      uses: [
        "Locking", "BluetoothCodec", "BluetoothRadio", "BluetoothAttributes", "HeadphoneProtocols",
        "HeadphoneDrivers",
        "EventLoop", "BluetoothKernel", "FirmwareCrypto", "Configuration", "LinkSimulation",
        "AudioRoute", "Companion", "TerminalUI", "Diagnostics",
      ],
      resources: ["Screens"]),
    tests(
      of: "AudioRoute",
      uses: [
        "Locking", "BluetoothRadio", "BluetoothCodec", "Companion", "CompanionRuntime",
        "HeadphoneProtocols", "Persistence",
      ]),
    tests(of: "DBus", uses: ["Locking", "EventLoop"]),
    tests(of: "Desktop", uses: ["CSystemd", "DBus", "EventLoop"]),
    tests(of: "BlueZ", uses: ["Locking", "BluetoothCodec", "BluetoothRadio", "DBus", "EventLoop"]),
    tests(
      of: "Companion",
      uses: [
        "BluetoothCodec", "BluetoothRadio", "HeadphoneProtocols", "AudioRoute", "Desktop",
        customDump,
        "CCorrections",
      ]),
    tests(
      of: "Persistence",
      uses: [
        "BluetoothCodec", "BluetoothRadio", "BluetoothAttributes", "FirmwareCrypto",
        "HeadphoneProtocols", "Companion",
        logging, "JSON",
      ],
      resources: ["Formats"]),
    tests(
      of: "Diagnostics",
      uses: [
        "BluetoothCodec", "BluetoothRadio", "Companion", "CompanionRuntime", "BluetoothKernel",
        "AudioRoute", "Persistence",
      ]),
    tests(
      of: "CompanionRuntime",
      uses: [
        "Locking", "JSON", "Persistence", "Companion", "HeadphoneProtocols", "HeadphoneDrivers",
        "AudioRoute", "BluetoothRadio", "BluetoothAttributes",
        "BluetoothCodec", "EventLoop",
        "BluetoothKernel", "DBus", "Desktop", "FirmwareCrypto",
        "VirtualHeadphones", "Configuration", logging,
      ]),
    tests(
      of: "Sharing",
      uses: [
        "Locking", "JSON", "AudioRoute", "BluetoothRadio", "BluetoothCodec", "Companion",
        "CompanionRuntime", "DBus", "EventLoop",
        "HeadphoneProtocols", "Persistence", "TerminalUI", "VirtualHeadphones",
      ]),
    tests(
      of: "Configuration",
      uses: ["BluetoothCodec", "HeadphoneProtocols", "Companion", "TerminalUI"]),
    tests(
      of: "TerminalUI",
      uses: [
        "JSON", "BluetoothCodec", "BluetoothRadio", "Companion", "CompanionRuntime", "Desktop",
        "HeadphoneProtocols", "AudioRoute", "EventLoop", "CNcurses", "Configuration",
      ],
      resources: ["Screens"]),
  ]
)

// Every surface that meets foreign bytes as a function of them (Tests/Fuzz): a test on the inputs that
// are kept, and with EARSHOT_FUZZ a program with libFuzzer's main (scripts/fuzz).
let fuzzDependencies: [Target.Dependency] = [
  "Locking", "CSystemd", "JSON", "BluetoothCodec", "BluetoothRadio", "BluetoothAttributes",
  "EventLoop",
  "BluetoothKernel", "HeadphoneProtocols", "FirmwareCrypto", "DBus", "BlueZ", "Companion",
  "Persistence",
  "Diagnostics",
  "TerminalUI", "Configuration", "Sharing", "TestSupport", "VirtualHeadphones",
]
package.targets.append(
  Context.environment["EARSHOT_FUZZ"] == nil
    ? .testTarget(
      name: "FuzzTests", dependencies: fuzzDependencies, path: "Tests/Fuzz",
      exclude: ["Fuzzer", "Corpus"], swiftSettings: unoptimised)
    : .executableTarget(
      name: "earshot-fuzz", dependencies: fuzzDependencies, path: "Tests/Fuzz",
      exclude: ["Replay", "Corpus"], swiftSettings: strict))

// The others are not built.
if let wantedTests {
  package.targets.removeAll { $0.type == .test && !wantedTests.contains($0.name) }
}
