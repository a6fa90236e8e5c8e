#!/usr/bin/python3
"""Fills the recipes of other package managers for one release.

    scripts/packaging/recipes.py FOLDER URL     FOLDER has the release's files; the recipes get into FOLDER/recipes

URL is the project's home, where the files can be downloaded from `URL/releases/download/vVERSION/`.
"""

import hashlib
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent


def main(folder, url):
    folder = pathlib.Path(folder)
    [tarball] = folder.glob("earshot-*-linux-*.tar.gz")
    version = tarball.name.split("-")[1]
    values = {
        "VERSION": version, "URL": url, "DOWNLOADS": f"{url}/releases/download/v{version}",
        "TARBALL_SHA256": digest(tarball), "SOURCE_SHA256": digest(folder / f"earshot-{version}.tar.gz"),
    }
    for template in [*sorted((HERE / "recipes").iterdir()), HERE / "earshot.spec"]:
        text = template.read_text()
        made = re.sub(r"@([A-Z0-9_]+)@", lambda found: values[found[1]], text)
        # Each package of the AUR is a repository with one PKGBUILD.
        name, _, variant = template.name.partition("-")
        place = folder / "recipes" / ("aur/earshot" + ("-" + variant if variant else "") if name == "PKGBUILD" else "") / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(made)
        print(place)


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
