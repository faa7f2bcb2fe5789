#!/usr/bin/env python3
"""backend.py PRESET: writes the wheel and the sdist of the Python package posenc to build/PRESET/wheel.

As a module, it is what pip asks for them, by PEP 517. It needs Python's own library only, so pip installs a checkout
without a network, and it decides on every byte, so that two builds are the same.
"""

import ast
import base64
import datetime
import gzip
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
import zipfile

top = pathlib.Path(__file__).resolve().parents[2]
module = top / "src/python/posenc"
project = tomllib.loads((top / "pyproject.toml").read_text())["project"]
cmake = (top / "CMakeLists.txt").read_text()
version = re.search(r"project\(.* VERSION ([\d.]+)", cmake)[1]
release_date = datetime.datetime.fromisoformat(re.search(r"release_date ([\d-]+)", cmake)[1] + " 00:00+00:00")
date = int(os.environ.get("SOURCE_DATE_EPOCH", release_date.timestamp()))  # of every file
name = f"{project['name']}-{version}"

# Any Linux of the processor: the program is linked statically.
platforms = ["manylinux_2_17", "manylinux2014", "musllinux_1_1"]
processors = {"release": os.uname().machine, "arm64": "aarch64"}  # by the preset


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    preset = (config_settings or {}).get("preset", "release")
    subprocess.run(["cmake", "--preset", preset], cwd=top, check=True)
    subprocess.run(["cmake", "--build", "--preset", preset, "--target", "static-program"], cwd=top, check=True)
    return pack(top / "build" / preset / "static-program", processors[preset], wheel_directory)


def pack(built, processor, folder):
    """Writes a wheel with what CMake's target static-program has put into the folder `built`. Returns its name."""
    tags = [f"{platform}_{processor}" for platform in platforms]
    info, script = f"{name}.dist-info", f"{name}.data/scripts/pe-gen"
    files = {path.relative_to(module.parent): path.read_bytes() for path in sorted(module.rglob("*"))
             if path.suffix == ".py" or path.name == "py.typed"}
    files[script] = (built / "pe-gen").read_bytes()
    licences = sorted((built / "licences").iterdir())
    files |= {f"{info}/licenses/{path.name}": path.read_bytes() for path in licences}
    files[f"{info}/METADATA"] = metadata(licences)
    files[f"{info}/WHEEL"] = fields(("Wheel-Version", "1.0"), ("Generator", "pe-gen"), ("Root-Is-Purelib", "false"),
                                    *[("Tag", f"py3-none-{tag}") for tag in tags])
    files[f"{info}/RECORD"] = record(files, f"{info}/RECORD")
    wheel = f"{name}-py3-none-{'.'.join(tags)}.whl"
    with zipfile.ZipFile(os.path.join(folder, wheel), "w") as archive:
        for path, content in files.items():
            member = zipfile.ZipInfo(str(path), time.gmtime(date)[:6])
            member.external_attr = (0o100755 if path == script else 0o100644) << 16
            archive.writestr(member, content, zipfile.ZIP_DEFLATED, 9)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=top, check=True, capture_output=True, text=True).stdout
    sdist = f"{name}.tar.gz"
    with (gzip.GzipFile(os.path.join(sdist_directory, sdist), "wb", mtime=date) as file,
          tarfile.open(fileobj=file, mode="w", format=tarfile.USTAR_FORMAT) as archive):
        for path in listed.split("\0")[:-1]:
            archive.add(top / path, f"{name}/{path}", filter=anonymous)
        content = metadata([])
        member = tarfile.TarInfo(f"{name}/PKG-INFO")
        member.size = len(content)
        archive.addfile(anonymous(member), io.BytesIO(content))
    return sdist


def anonymous(member):
    """The member of an archive, whoever made it and whatever their umask."""
    member.mtime, member.uid, member.gid, member.uname, member.gname = date, 0, 0, "", ""
    member.mode = 0o755 if member.mode & 0o100 else 0o644
    return member


def metadata(licences):
    description = ast.get_docstring(ast.parse((module / "__init__.py").read_text()))
    return fields(("Metadata-Version", "2.4"), ("Name", project["name"]), ("Version", version),
                  ("Summary", project["description"]), ("License-Expression", project["license"]),
                  *[("License-File", path.name) for path in licences],
                  ("Requires-Python", project["requires-python"]),
                  *[("Requires-Dist", package) for package in project["dependencies"]],
                  ("Description-Content-Type", "text/plain")) + f"\n{description}\n".encode()


def fields(*pairs):
    return "".join(f"{key}: {value}\n" for key, value in pairs).encode()


def record(files, itself):
    """A line for each file, with its SHA-256 and size."""
    lines = []
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(content)}\n")
    return "".join([*lines, f"{itself},,\n"]).encode()


if __name__ == "__main__":
    folder = top / "build" / sys.argv[1] / "wheel"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    build_sdist(folder)
    build_wheel(folder, {"preset": sys.argv[1]})
