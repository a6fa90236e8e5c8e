import JSON
import TestSupport
import Testing

@Suite struct JSONTests {
  @Test func `keys keep their order`() {
    let json: JSON = ["b": 1, "a": [true, nil, "x"], "c": .number(-0.5)]
    #expect("\(json)" == #"{"b":1,"a":[true,null,"x"],"c":-0.5}"#)
  }

  @Test func `text that could deceive a terminal is escaped`() {
    #expect(
      "\(JSON.string("\u{1B}\u{202E}\u{9B}\"\\\n\u{0}é"))" == #""\u001b\u202e\u009b\"\\\n\u0000é""#)
  }

  @Test(arguments: UInt32(0)...0x7F)
  func `an ASCII character alone is written as beside an escape`(value: UInt32) throws {
    let character = String(try #require(Unicode.Scalar(value)))
    let alone = "\(JSON.string(character))"
    #expect("\(JSON.string("\n" + character))" == "\"\\n" + alone.dropFirst())
  }

  @Test(arguments: [
    #"{"a":[1,-2,3.5,1e3,"x\n\u00e9\ud83c\udfa7\/",true,false,null,{}]}"#, "[]", "0", "-0.5e-2",
    #""""#,
    " \n[ 1 , 2 ] \t",
  ])
  func `what is read and written again reads the same`(text: String) throws {
    let json = try JSON(parsing: text.utf8)
    #expect(try JSON(parsing: "\(json)".utf8) == json)
  }

  @Test(arguments: [
    "", "{", "[1,]", "{1:2}", #"{"a"}"#, "01", "-", "1.", ".5", "2.e3", "2.e+3", "2.e-3", "0.e1",
    "-2.e3", "[1,2.E3]", "+1", "1e", "tru", "nulll",
    #""\x""#,
    #""\ud800""#, #""\udc00""#, #""\u12"#, "\"\u{1}\"", "[1 2]", "NaN", "1e999", #""\u+123""#,
    String(repeating: "[", count: 10_000),
  ])
  func `what is no JSON is an error`(text: String) {
    #expect(throws: MalformedJSON.self) { try JSON(parsing: text.utf8) }
  }

  @Test func `bytes that are not UTF-8 are an error with their place`() {
    #expect(throws: MalformedJSON(offset: 3, reason: "not UTF-8")) {
      try JSON(parsing: [0x22, 0xFF, 0x22])
    }
  }

  @Test func `mutated text never traps`() {
    var random = SeededGenerator(seed: 7)
    let text = Array(#"{"version":1,"devices":[{"id":"ear","n":-1.5e3,"x":"\u00e9"}]}"#.utf8)
    var failed = 0
    for _ in 0..<20_000 {
      do { _ = try JSON(parsing: text.mutated(by: &random)) } catch { failed += 1 }
    }
    #expect(failed > 0)
  }
}
