internal import BluetoothCodec
internal import HeadphoneProtocols
internal import TOML

/// The keys in docs/driver-files.md, which a test compares with those that the reader knows.
enum DriverFormat {
  struct Key: Sendable {
    let name: String
    /// The accepted values, in the words of the page.
    let values: String
    /// The default, or "" if the key is required.
    let unlessGiven: String
    let example: String

    init(_ name: String, _ values: String, unlessGiven: String = "", example: String) {
      (self.name, self.values) = (name, values)
      (self.unlessGiven, self.example) = (unlessGiven, example)
    }
  }

  static let file = [
    Key("name", "what to call the maker or the model", example: "\"Acme Buds\""),
    Key(
      "manufacturer", "the maker, in `earshot status`", unlessGiven: "`name`", example: "\"Acme\""),
    Key(
      "allow", "`\"read\"`: only requests are sent; `\"write\"`: settings can be changed",
      unlessGiven: "`\"read\"`", example: "\"write\""),
  ]

  static let channel = [
    Key("service", "the UUID of a GATT service", unlessGiven: "`serial`", example: "\"A001\""),
    Key(
      "write", "the UUID of the characteristic that is written", unlessGiven: "`serial`",
      example: "\"1001\""),
    Key(
      "notify", "the UUID of the characteristic that notifies answers and reports",
      unlessGiven: "`serial`", example: "\"1002\""),
    Key(
      "serial", "the UUID of a service on a serial channel (RFCOMM), instead of the three above",
      unlessGiven: "the three above", example: "\"00000837-D102-11E1-9B23-00025B00A5A5\""),
    Key(
      "vendor",
      "with `serial`: the company in the Device ID record, as a number; a headphone of another "
        + "company is not taken",
      unlessGiven: "any company", example: "0x02B0"),
  ]

  static let frame = [
    Key(
      "to", "the layout of what is sent (below)", example: "\"A7 command length payload\""),
    Key(
      "from", "the layout of what is received, or a list of layouts",
      unlessGiven: "`to`", example: "[\"A8 command length status payload\"]"),
    Key(
      "uncounted", "how many bytes of a frame its length does not count, 0 to 255",
      unlessGiven: "all but the payload", example: "4"),
    Key(
      "check",
      "the checksum behind the payload: `\"sum\"` (1 byte), `\"sum16\"` (2, high byte first), "
        + "`\"crc16\"` and `\"crc16-low-first\"` (CRC-16/XMODEM), `\"crc32\"` (low byte first), "
        + "`\"none\"`",
      unlessGiven: "`\"none\"`", example: "\"sum\""),
    Key(
      "check-from", "the first byte that the checksum or `xor` covers, counted from 0",
      unlessGiven: "0", example: "1"),
    Key(
      "check-adds", "a number that `\"sum16\"` adds, 0 to 65535", unlessGiven: "0", example: "1"),
    Key(
      "longest", "the length of the longest frame in bytes, 1 to 4096",
      unlessGiven: "what a length of one byte can say, else 1024", example: "64"),
    Key(
      "answer-adds", "what an answer adds to the number of its request, 0 to 65535",
      unlessGiven: "0", example: "0x80"),
    Key(
      "commands-answered", "`false`: commands have no answer, so the value is read back at once",
      unlessGiven: "`true`", example: "false"),
    Key(
      "asked-first", "how many rows are asked first; the others follow the first answer",
      unlessGiven: "1", example: "2"),
    Key(
      "exact", "`true`: an answer is wrong if it is longer than its values",
      unlessGiven: "`false`", example: "true"),
  ]

  static let row = [
    Key("number", "the number of the request, which its answer repeats", example: "0x25"),
    Key(
      "ask", "the payload of the request, `\"\"` for an empty one",
      unlessGiven: "nothing is sent: the row only reads what the headphone reports",
      example: "\"01\""),
    Key(
      "begins", "the bytes before the values, in answers and commands", unlessGiven: "none",
      example: "\"01\""),
    Key("values", "the values of the answer, in order (below)", unlessGiven: "none", example: "[]"),
    Key(
      "set", "the number of the command that sets a value of the row; needs `ask`",
      unlessGiven: "the values are read only", example: "0x26"),
    Key(
      "unchanged", "the byte in a command that leaves another setting of the row as it is",
      unlessGiven: "a command has one setting", example: "0xFF"),
  ]

  /// A kind of value in `values`, with its further keys.
  struct ValueKind: Sendable {
    let key: Key
    let further: [Key]
    let example: String

    init(_ key: Key, _ further: Key..., also more: String = "") {
      self.key = key
      self.further = further
      example = "\(key.name) = \(key.example)" + more
    }
  }

  private static let bytes = Key(
    "bytes", "the length of the number in bytes, 1 or 2, high byte first", unlessGiven: "1",
    example: "2")
  private static let modes = Key(
    "modes", "the modes of noise control in which it can be set", unlessGiven: "all",
    example: "[\"transparency\"]")

  static let values = [
    ValueKind(Key("skip", "bytes that are ignored, 1 to 255", example: "2")),
    ValueKind(
      Key(
        "battery", "a level in %: `\"left\"` (also for a headband), `\"right\"`, `\"case\"`",
        example: "\"left\""),
      Key("absent", "the byte of a part that is not there", unlessGiven: "none", example: "0xFF"),
      Key(
        "charging-bit", "`true`: bit 7 is set while the part is charging", unlessGiven: "`false`",
        example: "true")),
    ValueKind(
      Key(
        "charging",
        "`true`: bits that tell which part is charging: 1 left, 2 right, 4 case; it "
          + "follows the levels", example: "true")),
    ValueKind(
      Key("firmware", "a version of so many numbers, 1 to 8", example: "3"),
      Key("width", "the bytes of each, 1 to 4, high byte first", unlessGiven: "1", example: "2")),
    ValueKind(Key("model", "`true`: the name of the model, to the end", example: "true")),
    ValueKind(
      Key(
        "noise",
        "the mode of noise control: a table of `off`, `noise-cancelling`, `transparency`, "
          + "`adaptive` with their bytes; of a list, the least is sent",
        example: "{ off = 0, noise-cancelling = [1, 2] }"),
      Key(
        "only", "`true`: another byte is wrong, and not a mode without a name",
        unlessGiven: "`false`", example: "true")),
    ValueKind(
      Key("toggle", "a switch: the name of the setting", example: "\"game-mode\""),
      Key("on", "the number for on", unlessGiven: "1", example: "1"),
      Key(
        "off", "the number for off, or a list of which the first is sent", unlessGiven: "0",
        example: "[2, 0]"),
      bytes),
    ValueKind(
      Key("choice", "a choice: the name of the setting", example: "\"equaliser-preset\""),
      Key("names", "the choices, numbered from 0", unlessGiven: "`numbers`", example: "[\"flat\"]"),
      Key(
        "numbers", "the choices with their numbers", unlessGiven: "`names`",
        example: "{ flat = 3 }"),
      bytes,
      Key(
        "divide", "a number without a name is shown divided by this", unlessGiven: "1",
        example: "60"),
      modes, also: ", names = [\"flat\", \"bass\"]"),
    ValueKind(
      Key("level", "a level: the name of the setting", example: "\"prompt-volume\""),
      Key("range", "the lowest and highest level, at most 1000 apart", example: "[0, 15]"),
      Key("step", "by how much a key changes it", unlessGiven: "1", example: "5"),
      Key("unit", "what is shown behind it", unlessGiven: "nothing", example: "\"%\""),
      bytes, modes, also: ", range = [0, 15]"),
    ValueKind(
      Key("keep", "a byte in this range, which a command repeats", example: "[0, 100]")),
    ValueKind(
      Key("keep-rest", "`true`: all that follows, which a command repeats", example: "true")),
  ]

  static let string = [
    Key("id", "a name for `after`", unlessGiven: "none", example: "\"A1\""),
    Key("direction", "`\"to\"` or `\"from\"` the headphone", example: "\"from\""),
    Key("bytes", "the whole frame", example: "\"A8 02\""),
    Key("meaning", "what it is, in words", unlessGiven: "unknown", example: "\"battery\""),
    Key("proof", "where the bytes are from", unlessGiven: "unknown", example: "\"recorded bytes\""),
    Key("model", "the headphone it was recorded of", unlessGiven: "unknown", example: "\"EX-1\""),
    Key(
      "reads", "what the driver must read in it, such as `\"battery left 80\"`",
      unlessGiven: "it is not checked", example: "[\"battery left 80\"]"),
    Key(
      "after", "the strings that the headphone has sent before, by `id`", unlessGiven: "none",
      example: "[\"A0\"]"),
    Key(
      "asks", "`true`: the driver must send it as a request", unlessGiven: "it is not checked",
      example: "true"),
    Key(
      "sets", "the setting and value for which the driver must send it",
      unlessGiven: "it is not checked", example: "\"noise-mode off\""),
    Key("bad", "what is wrong in it on purpose", unlessGiven: "nothing", example: "\"level\""),
  ]
}
