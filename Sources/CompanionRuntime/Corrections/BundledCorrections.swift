internal import CCorrections
package import Companion

extension CorrectionTable {
  /// Returns the table of measured corrections in the program's file.
  ///
  /// The table is a copy for as long as it is used; the original is constant data that the kernel
  /// pages in on demand.
  package static func bundled() -> CorrectionTable {
    var length = 0
    let bytes = earshot_corrections(&length)
    return CorrectionTable(Array(UnsafeBufferPointer(start: bytes, count: length)))
  }
}
