internal import CCorrections
public import Companion

extension CorrectionTable {
  /// The measured corrections that are part of the program.
  ///
  /// They are constant data of the program's file, of which the kernel reads what is touched; the copy that this makes is
  /// for as long as it is used.
  public static func bundled() -> CorrectionTable {
    var length = 0
    let bytes = earshot_corrections(&length)
    return CorrectionTable(Array(UnsafeBufferPointer(start: bytes, count: length)))
  }
}
