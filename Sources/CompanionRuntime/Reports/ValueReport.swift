package import BluetoothCodec
internal import Companion
internal import HeadphoneProtocols
package import JSON

/// The result of a command with a single value.
package struct ValueReport: Report, Hashable {
  private let member: JSON.Member
  private let sentence: String?

  /// Creates the report; a terminal shows `sentence` instead of the value alone.
  package init<Value>(_ output: ValueOutput<Value>, _ value: Value, sentence: String? = nil) {
    member = output.property.value(of: value)
    self.sentence = sentence
  }

  package var text: String { member.value.text ?? "unknown" }

  package func text(_ style: TextStyle) -> String {
    style == .plain ? text : sentence.map(displayable) ?? text
  }

  package var json: JSON { .object([.init("schema", 1), member]) }
}

/// An output with one member: the commands that print it, and its meaning.
package struct ValueOutput<Value: Sendable>: Sendable {
  private let schemaName: SchemaName
  fileprivate let property: Property<Value>

  var definition: JSONSchema.Definition {
    .init(schemaName, .object([Property<Value>("schema", always: 1).member, property.member]))
  }

  fileprivate init(_ name: String, _ meaning: String, _ property: Property<Value>) {
    schemaName = SchemaName(name, meaning)
    self.property = property
  }

  fileprivate init(_ name: String, _ meaning: String, _ member: String, _ of: String = "")
  where Value: JSONRepresentable {
    self.init(name, meaning, Property(member, { $0 }, of))
  }
}

package enum OnOff: String, Sendable, JSONWord {
  case on, off

  package init(_ isOn: Bool) { self = isOn ? .on : .off }
}

extension ValueOutput where Value == OnOff {
  package static var muted: Self { Self("mute", "`earshot mute --json`", "muted") }
  package static var power: Self { Self("power", "`earshot power --json`", "power") }
}

extension ValueOutput where Value == OnOff? {
  package static var wearDetection: Self {
    Self("wear-detection", "`earshot wear-detection --json`", "wearDetection", "null: unknown")
  }
}

extension ValueOutput where Value == String {
  package static var completions: Self {
    Self("completions", "`earshot completions --json`", "script")
  }
  package static var configurationChange: Self {
    Self("config-set", "`earshot config set --json`, `unset`", "set", "the key")
  }
  package static var configurationPath: Self {
    Self("config-path", "`earshot config path --json`", "path")
  }
  package static var configurationText: Self {
    Self("config-show", "`earshot config show --json`", "toml")
  }
  package static var configurationValue: Self {
    Self("config-get", "`earshot config get --json`", "value", "of a text without quotes")
  }
  package static var connection: Self {
    Self(
      "connect", "`earshot connect --json` and `earshot audio connect --json`", "connected",
      "the headphone's identity, of `audio connect` its name")
  }
  package static var disconnection: Self {
    Self(
      "disconnect", "`earshot disconnect --json` and `earshot audio disconnect --json`",
      "disconnected", "the headphone's identity, of `audio disconnect` its name")
  }
  package static var equaliserDeletion: Self {
    Self("eq-delete", "`earshot eq delete --json`", "deleted", "the preset's name")
  }
  package static var equaliserRenaming: Self {
    Self("eq-rename", "`earshot eq rename --json`", "renamed", "the preset's new name")
  }
  package static var equaliserSaving: Self {
    Self("eq-save", "`earshot eq save --json`", "saved", "the preset's name")
  }
  package static var find: Self {
    let words = Side.allCases.map(\.name) + ["both", "stop"]
    return Self(
      "find", "`earshot find --json`", Property("find", { $0 }, among: words, "what rings"))
  }
  package static var line: Self {
    Self("line", "`earshot status --format FORMAT --json`", "line")
  }
  package static var output: Self {
    Self("output", "`earshot audio route --json`", "output", "its name")
  }
  package static var pairing: Self {
    Self("pair", "`earshot pair --json`", "paired", "the headphone's identity")
  }
  package static var player: Self {
    Self(
      "player", "`earshot audio play --json`, `pause`, `play-pause`, `next` and `previous`",
      "player")
  }
  package static var renaming: Self {
    Self("rename", "`earshot rename --json`", "renamed", "the headphone's new name")
  }
  package static var reset: Self {
    Self("reset", "`earshot reset --json`", "reset", "the headphone's name")
  }
  package static var sceneDeletion: Self {
    Self("scene-delete", "`earshot scene delete --json`", "deleted", "the scene's name")
  }
  package static var sceneRenaming: Self {
    Self("scene-rename", "`earshot scene rename --json`", "renamed", "the scene's new name")
  }
  package static var sceneSaving: Self {
    Self("scene-save", "`earshot scene save --json`", "saved", "the scene's name")
  }
  package static var version: Self { Self("version", "`earshot version --json`", "version") }
}

extension ValueOutput {
  package static var writing: ValueOutput<BluetoothUUID> {
    ValueOutput<BluetoothUUID>("write", "`earshot write --json`", "written", "the attribute's type")
  }
}
