internal import CBluetooth

/// Takes ownership of libbluetooth's text, and returns nil if it is empty, as for unknown values.
package func textOfLibrary(_ text: UnsafeMutablePointer<CChar>?) -> String? {
  guard let text else { return nil }
  defer { bt_free(text) }
  return text.pointee == 0 ? nil : String(cString: text)
}
