public import Headphones

/// What a virtual headphone is made like.
public struct VirtualModel: Hashable, Sendable {
  public var name: String
  public var capabilities: Capabilities

  public init(name: String, capabilities: Capabilities) {
    self.name = name
    self.capabilities = capabilities
  }
}
