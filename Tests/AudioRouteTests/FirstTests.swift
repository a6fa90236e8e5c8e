import AudioRoute
import Testing

@Test func aSinkIsNotBluetoothUnlessTold() {
  #expect(AudioSink(name: "a", description: "A", volume: 5, activity: .idle).bluetooth == nil)
}
