internal import Companion
internal import Glibc
internal import HeadphoneProtocols
package import Persistence

/// A report for the maintainers: `earshot doctor --report`.
///
/// ```swift
/// let report = MachineReport(
///   [MachineReport.versions(of: "1.0")] + MachineReport.log(log, last: 200))
/// print(report.text(redacting: TextRedaction(Pseudonyms(known: headphones))))
/// ```
package struct MachineReport: Sendable {
  package struct Part: Sendable {
    package var title: String
    package var text: String

    package init(_ title: String, _ text: String) {
      self.title = title
      self.text = text
    }
  }

  private var parts: [Part]

  package init(_ parts: [Part]) { self.parts = parts }

  package static func versions(of program: String) -> Part {
    var name = utsname()
    _ = uname(&name)
    let kernel = withUnsafeBytes(of: name.release, text)
    let machine = withUnsafeBytes(of: name.machine, text)
    return Part(
      "versions",
      table([
        ("Earshot", program), ("Kernel", "\(kernel) \(machine)"), ("System", system ?? "unknown"),
      ]))
  }

  /// Returns the last `count` lines of the log, and of its lines about links.
  package static func log(_ file: PrivateFile, last count: Int) -> [Part] {
    var tail = LogTail(file)
    let lines = (try? tail.newLines()) ?? []
    let links = lines.filter { $0.contains(" headphone=") && !$0.contains(" debug ") }
    return [
      Part("links", links.suffix(count).joined(separator: "\n")),
      Part("log", lines.suffix(count).joined(separator: "\n")),
    ]
  }

  /// Returns the whole report, with names and addresses replaced unless `redaction` is nil.
  package func text(redacting redaction: TextRedaction?) -> String {
    var redaction = redaction
    var redacted = self
    for index in parts.indices {
      redacted.parts[index].text = redaction?.redact(parts[index].text) ?? parts[index].text
    }
    return redacted.text(isRedacted: redaction != nil)
  }

  /// Returns the whole report; `isRedacted` says whether it has been redacted already.
  package func text(isRedacted: Bool) -> String {
    let note =
      isRedacted
      ? "addresses, names and serial numbers are replaced, each by the same pseudonym throughout"
      : "with names and addresses: read it before you send it"
    let texts = parts.map { part in
      "== \(part.title)\n\n\(part.text.isEmpty ? "nothing" : displayableLines(part.text))\n"
    }
    return "Earshot's report, \(note)\n\n" + texts.joined(separator: "\n")
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The name of the distribution, for example "Debian GNU/Linux 12 (bookworm)".
  private static var system: String? {
    let bytes = (try? PrivateFile(path: "/etc/os-release").read(atMost: 1 << 16)) ?? nil
    let lines = String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n")
    let line = lines.first { $0.hasPrefix("PRETTY_NAME=") }
    return line.map { String($0.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" }) }
  }
}

/// Removes control characters, which may come from a device's name, but keeps line breaks.
private func displayableLines(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).map { displayable(String($0)) }
    .joined(separator: "\n")
}
