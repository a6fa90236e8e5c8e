package import HeadphoneProtocols

extension ModelCatalog {
  /// The models that are part of the program, parsed at the first use.
  package static let bundled = ModelCatalog(reading: { bundledModels })

  private static let bundledModels = bundledFiles.compactMap { file in
    HeadphoneModel.read(file.text, id: file.id).model
  }

  /// The files of the bundled models, which a test compares with the folder.
  static let bundledFiles: [(id: String, text: [UInt8])] = [
    ("airpods", PackageResources.airpods_toml),
    ("airpods-2", PackageResources.airpods_2_toml),
    ("airpods-3", PackageResources.airpods_3_toml),
    ("airpods-4", PackageResources.airpods_4_toml),
    ("airpods-4-anc", PackageResources.airpods_4_anc_toml),
    ("airpods-5", PackageResources.airpods_5_toml),
    ("airpods-5-wireless", PackageResources.airpods_5_wireless_toml),
    ("airpods-max", PackageResources.airpods_max_toml),
    ("airpods-max-2", PackageResources.airpods_max_2_toml),
    ("airpods-max-usb-c", PackageResources.airpods_max_usb_c_toml),
    ("airpods-pro", PackageResources.airpods_pro_toml),
    ("airpods-pro-2", PackageResources.airpods_pro_2_toml),
    ("airpods-pro-2-usb-c", PackageResources.airpods_pro_2_usb_c_toml),
    ("airpods-pro-3", PackageResources.airpods_pro_3_toml),
    ("beats-fit-pro", PackageResources.beats_fit_pro_toml),
    ("beats-flex", PackageResources.beats_flex_toml),
    ("beats-solo-buds", PackageResources.beats_solo_buds_toml),
    ("beats-solo-pro", PackageResources.beats_solo_pro_toml),
    ("beats-solo3", PackageResources.beats_solo3_toml),
    ("beats-solo4", PackageResources.beats_solo4_toml),
    ("beats-studio-buds", PackageResources.beats_studio_buds_toml),
    ("beats-studio-buds-plus", PackageResources.beats_studio_buds_plus_toml),
    ("beats-studio-pro", PackageResources.beats_studio_pro_toml),
    ("beats-studio3", PackageResources.beats_studio3_toml),
    ("beatsx", PackageResources.beatsx_toml),
    ("powerbeats-4", PackageResources.powerbeats_4_toml),
    ("powerbeats-pro", PackageResources.powerbeats_pro_toml),
    ("powerbeats-pro-2", PackageResources.powerbeats_pro_2_toml),
    ("powerbeats3", PackageResources.powerbeats3_toml),
  ]
}
