# For Nix: the release's tarball, with the libraries of nixpkgs.
{
  description = "Terminal companion for dual-mode Bluetooth headphones";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      system = "x86_64-linux";
      pkgs = nixpkgs.legacyPackages.${system};
    in
    {
      packages.${system}.default = pkgs.stdenv.mkDerivation {
        pname = "earshot";
        version = "@VERSION@";
        src = pkgs.fetchurl {
          url = "@DOWNLOADS@/earshot-@VERSION@-linux-x86_64.tar.gz";
          sha256 = "@TARBALL_SHA256@";
        };
        nativeBuildInputs = [ pkgs.autoPatchelfHook ];
        buildInputs = [ pkgs.bluez pkgs.ncurses pkgs.stdenv.cc.cc.lib pkgs.systemdLibs ];
        # Loaded when the sound is needed.
        runtimeDependencies = [ pkgs.libpulseaudio ];
        dontStrip = true;
        installPhase = ''
          runHook preInstall
          DESTDIR=/ PREFIX=$out sh ./install.sh
          runHook postInstall
        '';
        meta = {
          description = "Terminal companion for dual-mode Bluetooth headphones";
          homepage = "@URL@";
          license = pkgs.lib.licenses.mit;
          mainProgram = "earshot";
          platforms = [ system ];
        };
      };
    };
}
