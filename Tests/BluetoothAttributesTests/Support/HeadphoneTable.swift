import BluetoothCodec

extension [TableServer.Attribute] {
  /// A headphone with everything that docs/protocol.md section 3 lists.
  static let headphone: [TableServer.Attribute] = [
    .init(0x0001, 0x2800, "0018"),
    .init(0x0002, 0x2803, "02 0300 002A"), .init(0x0003, 0x2A00, "4175726F7261"),
    .init(0x0004, 0x2800, "0118"),
    .init(0x0005, 0x2803, "20 0600 052A"), .init(0x0006, 0x2A05, ""),
    .init(0x0007, 0x2902, "0000"),
    .init(0x0008, 0x2803, "0A 0900 292B"), .init(0x0009, 0x2B29, "00"),
    .init(0x000A, 0x2803, "02 0B00 2A2B"),
    .init(0x000B, 0x2B2A, "000102030405060708090A0B0C0D0E0F"),
    .init(0x0010, 0x2800, "0A18"),
    .init(0x0011, 0x2803, "02 1200 292A"), .init(0x0012, 0x2A29, "45617273686F74"),
    .init(0x0013, 0x2803, "02 1400 242A"), .init(0x0014, 0x2A24, "4175726F7261"),
    .init(0x0015, 0x2803, "02 1600 262A"), .init(0x0016, 0x2A26, "312E322E33"),
    .init(0x0020, 0x2800, "0F18"),
    .init(0x0021, 0x2803, "12 2200 192A"), .init(0x0022, 0x2A19, "50"),
    .init(0x0023, 0x2902, "0000"), .init(0x0024, 0x2904, "04 00 AD27 01 0D01"),
    .init(0x0028, 0x2800, "0F18"),
    .init(0x0029, 0x2803, "12 2A00 192A"), .init(0x002A, 0x2A19, "4B"),
    .init(0x002B, 0x2902, "0000"), .init(0x002C, 0x2904, "04 00 AD27 01 0E01"),
    .init(0x0030, 0x2800, "F0FF"),
    .init(0x0031, 0x2803, "1A 3200 F1FF"), .init(0x0032, 0xFFF1, "01"),
    .init(0x0033, 0x2902, "0000"),
    .init(0x0034, 0x2803, "1A 3500 F2FF"), .init(0x0035, 0xFFF2, "00"),
    .init(0x0036, 0x2902, "0000"),
    .init(0x0037, 0x2803, "0C 3800 F3FF"), .init(0x0038, 0xFFF3, ""),
    .init(0x0039, 0x2803, "10 3A00 F4FF"), .init(0x003A, 0xFFF4, ""),
    .init(0x003B, 0x2902, "0000"),
  ]
}
