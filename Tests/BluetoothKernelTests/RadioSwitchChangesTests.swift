import EventLoop
import Glibc
import Testing

@testable import BluetoothKernel

@Suite struct RadioSwitchChangesTests {
  /// An event of the kernel for a switch: index, type, operation, soft block and hard block.
  private static let event: [UInt8] = [0, 0, 0, 0, 2, 2, 1, 0]

  @Test func `a used switch is reported and those that were there are not`() async throws {
    var template = Array("/tmp/earshot-rfkill-XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    let path = "\(folder)/device"
    defer {
      unlink(path)
      rmdir(folder)
    }
    #expect(mkfifo(path, 0o600) == 0)
    let kernel = open(path, O_RDWR | O_CLOEXEC)
    try #require(kernel >= 0)
    #expect(write(kernel, Self.event, Self.event.count) == Self.event.count)
    var changes = RfkillState.changes(of: path, loop: .shared).makeAsyncIterator()
    #expect(write(kernel, Self.event, Self.event.count) == Self.event.count)
    #expect(await changes.next() != nil)
    close(kernel)
    #expect(await changes.next() == nil)
  }

  @Test func `without the device nothing is reported`() async {
    var changes = RfkillState.changes(of: "/nonexistent/rfkill", loop: .shared)
      .makeAsyncIterator()
    #expect(await changes.next() == nil)
  }
}
