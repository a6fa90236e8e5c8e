import ArgumentParser
import BluetoothCodec
import CompanionRuntime
import FirmwareCrypto
import HeadphoneProtocols
import Persistence
import Sharing

/// The command `earshot firmware pack`, for makers of firmware.
///
/// The file is written atomically. The signature is 64 zeros until `earshot firmware sign` replaces
/// it.
struct FirmwarePackCommand: Subcommand, LocalCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack",
    abstract: "Build an unsigned image file.",
    discussion: """
      EXAMPLES:
        earshot firmware pack app.bin -o aurora-1.5.0.fw --hardware 0xA102 \\
          --version 1.5.0 --security-counter 2
      """)

  @ParentCommand var parent: FirmwareCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions
  @Argument(help: "The raw firmware binary.", completion: .file()) var input: String
  @Option(name: .shortAndLong, help: "The image file to write.", completion: .file())
  var output: String
  @Option(help: "The hardware it is for, such as 0xA102.") var hardware: String
  @Option(help: "Its version, such as 1.5.0.") var version: String
  @Option(help: "A number higher than in every earlier image.") var securityCounter: UInt32
  @Option(help: "Block size in bytes: a power of two from 512 to 65536.")
  var blockSize = FirmwareImage.usualBlockSize
  @Option(help: "The minimum charge of each bud in %.") var minimumBattery: UInt8 = 30

  func validate() throws {
    guard FirmwareTarget.hardware(named: hardware) != nil else {
      throw ValidationError("not a hardware number\n--hardware takes a number such as 0xA102")
    }
    guard FirmwareVersion(version) != nil else {
      throw ValidationError("not a version\n--version takes three numbers such as 1.5.0")
    }
  }

  @MainActor
  func report() throws(CommandError) -> (any Report)? {
    guard let hardware = FirmwareTarget.hardware(named: hardware),
      let version = FirmwareVersion(version)
    else { return nil }
    guard FirmwareFile.absolute(input) != FirmwareFile.absolute(output) else {
      throw .unavailable(
        "the image would overwrite \(displayable(input))\nname another file")
    }
    let payload = try FirmwareFile.payload(input)
    let image: FirmwareImage
    do throws(FirmwarePackingError) {
      image = try FirmwareImage(
        packing: payload, hardware: hardware, version: version, blockSize: blockSize,
        minimumBattery: minimumBattery, securityCounter: securityCounter)
    } catch {
      throw .unavailable(error.explanation)
    }
    try FirmwareFile.write(image, to: output)
    return nil
  }
}

/// The command `earshot firmware sign`, which keeps the manifest byte for byte.
struct FirmwareSignCommand: Subcommand, LocalCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign",
    abstract: "Sign an image with a maker's private key.",
    discussion: """
      EXAMPLES:
        earshot firmware sign aurora-1.5.0.fw --with maker.key
      """)

  @ParentCommand var parent: FirmwareCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions
  @Argument(help: "The image file; it is replaced by the signed one.", completion: .file())
  var file: String
  @Option(
    name: .customLong("with"), help: "The file with the private key.", completion: .file())
  var key: String

  @MainActor
  func report() throws(CommandError) -> (any Report)? {
    let image = try FirmwareFile.read(file)
    let maker: SigningKey
    do throws(FileError) { maker = try KeyFile.signingKey(at: key) } catch { throw .file(error) }
    try FirmwareFile.write(image.signed(by: maker), to: file)
    return nil
  }
}

/// The command `earshot firmware keygen`, which replaces no existing file.
///
/// `NAME.key` is readable only by its owner.
struct FirmwareKeygenCommand: Subcommand, LocalCommand {
  static let configuration = CommandConfiguration(
    commandName: "keygen",
    abstract: "Generate a key pair: NAME.key (keep it secret) and NAME.pub.",
    discussion: """
      EXAMPLES:
        earshot firmware keygen maker
      """)

  @ParentCommand var parent: FirmwareCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions
  @Argument(help: "The beginning of both files' names.") var name: String

  @MainActor
  func report() throws(CommandError) -> (any Report)? {
    do throws(FileError) { try KeyFile.write(SigningKey(), to: name) } catch {
      throw .file(error)
    }
    return nil
  }
}
