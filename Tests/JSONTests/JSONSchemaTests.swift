import JSON
import Testing

private enum Mode: String, JSONWord { case off, quiet }

private struct Part: NamedJSONObject {
  var level: Int?

  static let schemaName = SchemaName("part", "A part.")
  static let properties: [Property<Self>] = [
    Property("level", \.level, in: .percent, "%; null: unknown")
  ]
}

private struct Device: JSONObject {
  var name = "Ear"
  var mode: Mode?
  var gains: [Double]? = [1.5]
  var first: Part? = Part(level: 80)
  var timing: (interval: Int, latency: Int)?

  static let properties: [Property<Self>] = [
    Property("name", \.name, matching: "^E"),
    Property("mode", \.mode),
    Property("gains", \.gains),
    Property("first", \.first),
    Property("all", { [$0.first ?? Part()] }),
    Property("words", { JSONMap([("a", $0.mode)]) }),
    Property("timing", \.timing, group: [Property("interval", \.interval, in: .atLeast(6))]),
    Property("own", group: [Property("name", \.name)]),
    Property("version", always: 1),
  ]
}

@Suite struct JSONSchemaTests {
  @Test func `an object has its members in the declared sequence, and null for what is unknown`() {
    #expect(
      "\(Device().json)"
        == #"{"name":"Ear","mode":null,"gains":[1.5],"first":{"level":80},"all":[{"level":80}],"#
        + #""words":{"a":null},"timing":null,"own":{"name":"Ear"},"version":1}"#)
    let device = Device(mode: .quiet, first: nil, timing: (7, 0))
    #expect(device.json["mode"] == "quiet")
    #expect(device.json["first"] == .null)
    #expect(device.json["timing"] == ["interval": 7])
  }

  @Test(
    arguments: [
      ("name", ["type": "string", "pattern": "^E"]),
      ("mode", ["type": ["string", "null"], "enum": ["off", "quiet", nil]]),
      ("gains", ["type": ["array", "null"], "items": ["type": "number"]]),
      ("first", ["oneOf": [["$ref": "#/$defs/part"], ["type": "null"]]]),
      ("all", ["type": "array", "items": ["$ref": "#/$defs/part"]]),
      (
        "words",
        [
          "type": "object",
          "additionalProperties": ["type": ["string", "null"], "enum": ["off", "quiet", nil]],
        ]
      ),
      (
        "timing",
        [
          "type": ["object", "null"],
          "properties": ["interval": ["type": "integer", "minimum": 6]], "required": ["interval"],
        ]
      ),
      ("version", ["const": 1]),
    ] as [(String, JSON)])
  func `the schema of a member follows from its type`(name: String, schema: JSON) {
    #expect(Device.schema.json["properties"]?[name] == schema)
  }

  @Test func `every member is required`() {
    #expect(
      Device.schema.json["required"]
        == ["name", "mode", "gains", "first", "all", "words", "timing", "own", "version"])
  }

  @Test func `a document has each definition once, with what is referred to`() {
    let definition = JSONSchema.Definition(SchemaName("device", "A device."), Device.schema)
    let document = JSONSchema.document(title: "Devices", "All.", [definition, Part.definition])
    #expect(
      document["$defs"]?["part"] == [
        "description": "A part.", "type": "object",
        "properties": [
          "level": [
            "description": "%; null: unknown", "type": ["integer", "null"], "minimum": 0,
            "maximum": 100,
          ]
        ], "required": ["level"],
      ])
    guard case .object(let definitions)? = document["$defs"] else {
      Issue.record("no definitions")
      return
    }
    #expect(definitions.map(\.key) == ["part", "device"])
  }

  @Test func `lines for people are broken where they are too long`() throws {
    let json: JSON = ["a": [1, 2], "b": ["c": "a long text", "d": []]]
    let text = """
      {
        "a": [1,2],
        "b": {
          "c": "a long text",
          "d": []
        }
      }
      """
    #expect(json.indented(columns: 24) == text)
    #expect(try JSON(parsing: text.utf8) == json)
    #expect(json.indented() == json.description)
  }
}
