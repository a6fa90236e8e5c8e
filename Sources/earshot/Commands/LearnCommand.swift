import ArgumentParser
import BluetoothCodec
import CompanionRuntime
import Diagnostics
import EventLoop
import Glibc
import HeadphoneProtocols
import Persistence
import Sharing

/// The command `earshot learn`, which analyses a capture of an unknown protocol.
struct LearnCommand: LocalCommand {
  static let configuration = CommandConfiguration(
    commandName: "learn",
    abstract: "Find a headphone's protocol in a capture of its maker's app.",
    discussion: """
      Reads a btsnoop file: a phone's Bluetooth HCI snoop log, or what --capture has written. It \
      lists the channels, the framing that fits each (of the families that are known, else any \
      with a length and a usual checksum), and which bytes changed when.

      --table writes the beginnings of a driver file with the messages, which asks nothing and \
      runs with --driver; --report writes a text for a maintainer. Both are without names, \
      addresses and serial numbers unless --unredacted is given.

      EXAMPLES:
        earshot learn btsnoop_hci.log
        earshot learn btsnoop_hci.log --table my-buds.toml --report my-buds.txt
        earshot learn btsnoop_hci.log --json | jq '.channels[].framings[0]'
      """)

  @Argument(help: "The capture, a btsnoop file.", completion: .file())
  var file: String

  @Option(
    help: .init("Write a driver file; an existing file is overwritten.", valueName: "file"),
    completion: .file())
  var table: String?

  @Option(
    help: .init(
      "Write a report for a maintainer; an existing file is overwritten.", valueName: "file"),
    completion: .file())
  var report: String?

  @Flag(help: "With --table and --report: keep names and addresses.")
  var unredacted = false

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  /// The maximum size of a capture in bytes.
  private static let largest = 256 << 20

  func validate() throws {
    if unredacted, table == nil, report == nil {
      throw ValidationError(
        "--unredacted needs --table or --report\n"
          + "for example: earshot learn log.btsnoop --report report.txt --unredacted")
    }
  }

  @MainActor
  func report() async throws(CommandError) -> (any Report)? {
    let bytes = try await FileIO.named.open(file) { [file] () throws(CommandError) -> [UInt8] in
      do throws(FileError) {
        guard let bytes = try PrivateFile(path: file).read(atMost: Self.largest) else {
          throw .system(errno: ENOENT, during: "open", path: file)
        }
        return bytes
      } catch {
        throw .file(error)
      }
    }
    var redaction: CaptureRedaction?
    if options.redact || table != nil || report != nil, !unredacted {
      redaction = CaptureRedaction(.ofThisUser)
    }
    let open = try findings(in: bytes[...], &redaction)
    let redacted = open.redacted(
      { redaction?.redact(content: $0) ?? Array($0) },
      address: { redaction?.address(for: $0) ?? $0 })
    let shared = LearnReport(redacted)
    if let table { try await write(shared.byteTable, to: table) }
    if let report {
      let parts = MachineReport([
        MachineReport.versions(of: Earshot.configuration.version), .init("capture", shared.text),
        .init("bytes", shared.byteTable),
      ])
      try await write(parts.text(isRedacted: !unredacted), to: report)
    }
    return options.redact ? shared : LearnReport(open)
  }

  private func findings(
    in bytes: Bytes, _ redaction: inout CaptureRedaction?
  ) throws(CommandError) -> CaptureFindings {
    var traffic = CapturedTraffic()
    do throws(MalformedBytes) {
      var capture = try BtsnoopFile(bytes)
      // A capture that was interrupted ends within a record: the earlier records are valid.
      while let record = try? capture.next() {
        traffic.receive(record, of: capture.header.datalink)
        _ = redaction?.redact(record, of: capture.header.datalink)
      }
    } catch {
      throw .file(
        .malformed(
          path: file, reason: "this is no btsnoop file, as Android and Earshot write them"))
    }
    return CaptureFindings(in: traffic)
  }

  private func write(_ text: String, to path: String) async throws(CommandError) {
    do throws(FileError) {
      try await StandardConsole.shared.write(text, to: path, withNames: unredacted)
    } catch {
      throw .file(error)
    }
  }
}
