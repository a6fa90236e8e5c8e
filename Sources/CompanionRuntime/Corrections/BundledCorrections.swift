internal import CCorrections
package import Companion

extension CorrectionTable {
  /// Returns the table of measured corrections, a copy of constant data in the program's file.
  package static func bundled() -> CorrectionTable {
    var length = 0
    let bytes = earshot_corrections(&length)
    return CorrectionTable(Array(UnsafeBufferPointer(start: bytes, count: length)))
  }
}
