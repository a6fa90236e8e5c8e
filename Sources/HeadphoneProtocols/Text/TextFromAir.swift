public import BluetoothCodec

/// UTF-8 from the air: repaired with U+FFFD where it is not valid, NUL padding at its end dropped.
///
/// The text is kept as it was sent otherwise; ``displayable(_:)`` makes it fit to show.
public func textFromAir(_ bytes: Bytes) -> String {
  var end = bytes.endIndex
  while end > bytes.startIndex, bytes[end - 1] == 0 { end -= 1 }
  return String(decoding: bytes[bytes.startIndex..<end], as: UTF8.self)
}
