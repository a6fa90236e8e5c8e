internal import CBluetooth

/// Takes ownership of a text that libbluetooth allocated, and returns nil if it is empty.
///
/// The library returns an empty text for a value it does not know.
package func textOfLibrary(_ text: UnsafeMutablePointer<CChar>?) -> String? {
  guard let text else { return nil }
  defer { bt_free(text) }
  return text.pointee == 0 ? nil : String(cString: text)
}
