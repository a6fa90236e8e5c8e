import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Glibc
import Testing

@testable import BluetoothKernel

@Suite struct ErrnoTests {
  @Test(arguments: [
    (EAFNOSUPPORT, RadioError.noAdapter),
    (EPROTONOSUPPORT, .noAdapter),
    (ENODEV, .noAdapter),
    (EPIPE, .noAdapter),
    (EPERM, .notPermitted(operation: "scanning", capability: "CAP_NET_RAW")),
    (ENETDOWN, .poweredOff(adapter: "hci1")),
    (ERFKILL, .blocked(adapter: "hci1")),
    (EBUSY, .busy("another program holds the Bluetooth adapter hci1")),
    (EIO, .system(errno: EIO, during: "scanning")),
  ])
  func `an error of the adapter has a name`(code: Int32, error: RadioError) {
    #expect(RadioError(errno: code, during: "scanning", adapter: "hci1") == error)
  }

  @Test(arguments: [
    (EBUSY, RadioError.busy("another program holds the link to this headphone")),
    (EMLINK, .noRoom),
    (ECONNREFUSED, .refused),
    (ECONNRESET, .refused),
    (EACCES, .refused),
    (EHOSTDOWN, .timedOut),
    (ETIMEDOUT, .timedOut),
    (ENOSYS, .timedOut),
    (ENOMEM, .system(errno: ENOMEM, during: "connect")),
  ])
  func `an error of a connection has a name`(code: Int32, error: RadioError) {
    #expect(RadioError(connecting: code) == error)
  }

  @Test(arguments: [
    (HCIStatus.remoteUserTerminated, BearerClosed.Reason.peer),
    (.remoteLowResources, .peer),
    (.remotePowerOff, .peer),
    (.connectionTimeout, .supervisionTimeout),
    (.responseTimeout, .supervisionTimeout),
    (.localHostTerminated, .localHost),
    (.micFailure, .micFailure),
    (.keyMissing, .micFailure),
    (.failedToBeEstablished, .connectTimeout),
    (.authenticationFailure, .refused),
  ])
  func `the reason of the controller tells how a link ended`(
    status: HCIStatus, reason: BearerClosed.Reason
  ) {
    #expect(BearerClosed.Reason(status) == reason)
  }

  @Test(arguments: [
    (BearerClosed.Reason.micFailure, SecurityFailure.keyMissing),
    (.refused, .refused),
    (.localHost, .refused),
    (.peer, .closed(BearerClosed(.peer))),
  ])
  func `a link that ends while it is secured tells why`(
    reason: BearerClosed.Reason, failure: SecurityFailure
  ) {
    #expect(SecurityFailure(BearerClosed(reason)) == failure)
  }
}
