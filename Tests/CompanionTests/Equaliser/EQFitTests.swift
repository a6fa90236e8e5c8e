import Companion
import HeadphoneProtocols
import Testing

@Suite struct `A curve on a headphone's bands` {
  private func able(bands: Int, centres: [Int] = []) -> Capabilities {
    var able = Capabilities()
    able.eqBands = bands
    able.eqCentres = centres
    return able
  }

  private func near(_ a: Double, _ b: Double, _ distance: Double = 0.01) -> Bool {
    abs(a - b) <= distance
  }

  @Test func `a peak has its gain in its middle, and none far away`() {
    let curve = ParametricEQ(filters: [
      .init(.peak, frequency: 1000, gain: -6, width: .quality(1.41))
    ])
    #expect(near(curve.response(at: 1000), -6))
    #expect(near(curve.response(at: 20), 0))
    #expect(near(curve.response(at: 20_000), 0, 0.1))
  }

  @Test func `a shelf has half its gain at its corner, and all of it beyond`() {
    let low = ParametricEQ(filters: [
      .init(.lowShelf, frequency: 200, gain: 8, width: .quality(0.7))
    ])
    #expect(near(low.response(at: 200), 4))
    #expect(near(low.response(at: 1), 8))
    #expect(near(low.response(at: 20_000), 0))
    let high = ParametricEQ(
      preamp: -2, filters: [.init(.highShelf, frequency: 5000, gain: -4, width: .slope(1))])
    #expect(near(high.response(at: 5000), -4))
    #expect(near(high.response(at: 23_000), -6, 0.05))
    #expect(near(high.response(at: 20), -2))
  }

  @Test func `is taken at the middle of each band in steps of half a decibel`() throws {
    let bands = try #require(EQBands(able(bands: 3, centres: [100, 1000, 10_000])))
    let curve = ParametricEQ(filters: [.init(.peak, frequency: 1000, gain: 3.3, width: .quality(2))]
    )
    let fit = EQFit(curve, to: bands)
    #expect(fit.gains.map(\.decibels) == [0, 3.5, 0])
    #expect(fit.losses.first == "rounded to steps of 0.5 dB: up to 0.2 dB off")
    #expect(fit.losses.contains { $0.hasPrefix("between bands: off by ") })
  }

  @Test(arguments: [
    (2 as Int8, [0, 3, 0], "rounded to steps of 1 dB: up to 0.3 dB off"),
    (4, [0, 4, 0], "rounded to steps of 2 dB: up to 0.7 dB off"),
    (3, [0, 3, 0], "rounded to steps of 1.5 dB: up to 0.3 dB off"),
  ])
  func `is in the headphone's own steps`(halves: Int8, gains: [Double], loss: String) throws {
    var able = able(bands: 3, centres: [100, 1000, 10_000])
    able.eqStep = try #require(BandGain(halfDecibels: halves))
    let bands = try #require(EQBands(able))
    let curve = ParametricEQ(filters: [.init(.peak, frequency: 1000, gain: 3.3, width: .quality(2))]
    )
    let fit = EQFit(curve, to: bands)
    #expect(fit.gains.map(\.decibels) == gains)
    #expect(fit.losses.first == loss)
    #expect(bands.gains(nearest: fit.gains) == fit.gains)
  }

  @Test func `a limit between two steps is the lower one`() throws {
    var able = able(bands: 1)
    able.eqLimit = try #require(BandGain(halfDecibels: 5))
    able.eqStep = try #require(BandGain(halfDecibels: 2))
    let bands = try #require(EQBands(able))
    #expect([-9, 9, 1.6].map { bands.gain(nearest: $0).decibels } == [-2, 2, 2])
  }

  @Test func `never asks for more than the headphone can do, and says so`() throws {
    let bands = try #require(EQBands(able(bands: 3, centres: [100, 1000, 10_000])))
    let curve = ParametricEQ(
      preamp: 8, filters: [.init(.peak, frequency: 1000, gain: 20, width: .quality(1))])
    let fit = EQFit(curve, to: bands)
    #expect(fit.gains.map(\.decibels)[1] == 12)
    #expect(fit.losses.first == "1 kHz: +28.0 dB wanted, limited to +12.0 dB")
  }

  @Test func `goes as far as this headphone does`() throws {
    var able = able(bands: 3, centres: [100, 1000, 10_000])
    able.eqLimit = try #require(BandGain(halfDecibels: 12))
    let bands = try #require(EQBands(able))
    let fit = EQFit(ParametricEQ(preamp: -7, filters: []), to: bands)
    #expect(fit.gains.map(\.decibels) == [-6, -6, -6])
    #expect(fit.losses.first == "100 Hz: -7.0 dB wanted, limited to -6.0 dB")
  }

  @Test func `loses nothing where nothing is to be done`() throws {
    let bands = try #require(EQBands(able(bands: 2, centres: [100, 10_000])))
    #expect(EQFit(ParametricEQ(preamp: -3, filters: []), to: bands).losses == [])
  }

  @Test func `tells that the frequencies are only supposed`() throws {
    let bands = try #require(EQBands(able(bands: 8)))
    #expect(bands.isAssumed && bands.title(0) == "~63 Hz" && bands.title(7) == "~8 kHz")
    let fit = EQFit(ParametricEQ(preamp: 0, filters: []), to: bands)
    #expect(
      fit.losses == [
        "band frequencies are assumed: this headphone does not report them"
      ])
  }

  @Test(arguments: 1...255)
  func `any number of bands rises`(count: Int) throws {
    let centres = try #require(EQBands(able(bands: count))).centres
    #expect(centres.count == count)
    #expect(zip(centres, centres.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func `a headphone without bands has none`() { #expect(EQBands(able(bands: 0)) == nil) }

  @Test(arguments: [
    (3.26 as Double, 7 as Int8), (-40, -24), (.nan, 0), (.infinity, 0), (0.25, 1), (-0.2, 0),
  ])
  func `a gain is the nearest step within the range`(decibels: Double, halves: Int8) {
    #expect(BandGain(decibels: decibels).halfDecibels == halves)
  }
}
