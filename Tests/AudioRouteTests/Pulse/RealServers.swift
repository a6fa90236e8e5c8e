/// The tests that start real sound servers, each its own; those of one suite run one after the other, for they share the machine.
enum RealServers {}
