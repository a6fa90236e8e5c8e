import ArgumentParser

@main
struct Earshot: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "A terminal companion for dual-mode Bluetooth headphones.")
}
