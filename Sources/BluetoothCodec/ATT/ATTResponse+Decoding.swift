extension ATTResponse {
  init(_ opcode: ATTOpcode, _ reader: inout ByteReader) throws(MalformedBytes) {
    switch opcode {
    case .errorResponse:
      self = .error(
        ATTErrorResponse(
          opcode: ATTOpcode(rawValue: try reader.uint8()), handle: try reader.uint16(),
          code: ATTErrorCode(rawValue: try reader.uint8())))
    case .exchangeMTUResponse: self = .exchangeMTU(serverMTU: try reader.uint16())
    case .findInformationResponse: self = .findInformation(try Self.information(&reader))
    case .findByTypeValueResponse:
      var ranges: [ATTHandleRange] = []
      repeat { ranges.append(try ATTHandleRange(&reader)) } while !reader.isAtEnd
      self = .findByTypeValue(ranges)
    case .readByTypeResponse: self = .readByType(try Self.handleValues(&reader))
    case .readResponse: self = .read(value: reader.rest())
    case .readBlobResponse: self = .readBlob(value: reader.rest())
    case .readMultipleResponse: self = .readMultiple(values: reader.rest())
    case .readByGroupTypeResponse: self = .readByGroupType(try Self.groups(&reader))
    case .writeResponse: self = .write
    case .prepareWriteResponse:
      self = .prepareWrite(
        handle: try reader.uint16(), offset: try reader.uint16(), value: reader.rest())
    case .executeWriteResponse: self = .executeWrite
    case .readMultipleVariableResponse: self = try Self.variableValues(&reader)
    default: throw reader.malformed(.unknownType(UInt64(opcode.rawValue)), at: 0)
    }
  }

  /// Decodes a format byte, then handles with UUIDs of 2 (format 1) or 16 bytes (format 2).
  private static func information(
    _ reader: inout ByteReader
  ) throws(MalformedBytes) -> [ATTInformation] {
    let format = try reader.uint8()
    let width: Int
    switch format {
    case 0x01: width = 2
    case 0x02: width = 16
    default: throw reader.malformed(.badValue(UInt64(format)), at: reader.offset - 1)
    }
    var items: [ATTInformation] = []
    items.reserveCapacity(reader.remaining / (2 + width))
    repeat {
      items.append(ATTInformation(handle: try reader.uint16(), type: try reader.uuid(width)))
    } while !reader.isAtEnd
    return items
  }

  /// Decodes the length of an item, then items of a handle (2 bytes) and a value.
  private static func handleValues(
    _ reader: inout ByteReader
  ) throws(MalformedBytes) -> [ATTHandleValue] {
    let length = try itemLength(&reader, atLeast: 2)
    var items: [ATTHandleValue] = []
    items.reserveCapacity(reader.remaining / length)
    repeat {
      let handle = try reader.uint16()
      items.append(ATTHandleValue(handle: handle, value: try reader.read(length - 2)))
    } while !reader.isAtEnd
    return items
  }

  /// Decodes the length of an item, then items of a range (4 bytes) and a value.
  private static func groups(_ reader: inout ByteReader) throws(MalformedBytes) -> [ATTGroup] {
    let length = try itemLength(&reader, atLeast: 4)
    var items: [ATTGroup] = []
    items.reserveCapacity(reader.remaining / length)
    repeat {
      let range = try ATTHandleRange(&reader)
      items.append(ATTGroup(range: range, value: try reader.read(length - 4)))
    } while !reader.isAtEnd
    return items
  }

  private static func itemLength(
    _ reader: inout ByteReader, atLeast minimum: Int
  ) throws(MalformedBytes) -> Int {
    let length = Int(try reader.uint8())
    guard length >= minimum else {
      throw reader.malformed(.badLength(length), at: reader.offset - 1)
    }
    return length
  }

  /// Decodes values that each follow their length of 2 bytes.
  ///
  /// A server may truncate the list within a length (Core 5.4, Vol 3, Part F, 3.4.4.12).
  private static func variableValues(
    _ reader: inout ByteReader
  ) throws(MalformedBytes) -> ATTResponse {
    var values: [Bytes] = []
    var isComplete = true
    repeat {
      guard values.isEmpty || reader.remaining >= 2 else {
        _ = reader.rest()
        isComplete = false
        break
      }
      let length = Int(try reader.uint16())
      isComplete = length <= reader.remaining
      values.append(isComplete ? try reader.read(length) : reader.rest())
    } while !reader.isAtEnd
    return .readMultipleVariable(values: values, isComplete: isComplete)
  }
}
