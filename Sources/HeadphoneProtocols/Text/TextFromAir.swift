package import BluetoothCodec

/// Returns UTF-8 text up to its first NUL, with U+FFFD for invalid sequences.
///
/// Some headphones send garbage after the NUL. ``displayable(_:)`` makes the text safe to display.
package func textFromAir(_ bytes: Bytes) -> String {
  String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
}
