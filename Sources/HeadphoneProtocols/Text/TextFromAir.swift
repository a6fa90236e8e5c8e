public import BluetoothCodec

/// UTF-8 from the air: invalid sequences are replaced by U+FFFD, NUL padding at the end is dropped.
///
/// The text is otherwise kept as it was sent; ``displayable(_:)`` makes it safe to show.
public func textFromAir(_ bytes: Bytes) -> String {
  var end = bytes.endIndex
  while end > bytes.startIndex, bytes[end - 1] == 0 { end -= 1 }
  return String(decoding: bytes[bytes.startIndex..<end], as: UTF8.self)
}
