import Testing

/// The tests that start real sound servers: one after the other, for they share the machine.
@Suite(.serialized) struct RealServers {}
