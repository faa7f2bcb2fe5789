"""What cmake/wheel/backend.py writes, with a stand-in for the program. VERSION is CMake's."""

import base64
import hashlib
import os
import pathlib
import sys
import tarfile
import tempfile
import time
import unittest
import zipfile

if sys.version_info < (3, 11):
    sys.exit(77)  # as skipped: where the program can be built, Python is newer

import backend

name = f"posenc-{os.environ['VERSION']}"


class TestWheel(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = self.packed("0", 0o022, 0)
        self.archive = zipfile.ZipFile(self.path)
        self.addCleanup(self.archive.close)

    def packed(self, folder, umask, date):
        """The path of a wheel of files with that date, and made under that umask."""
        built = self.folder / folder
        before = os.umask(umask)
        (built / "licences").mkdir(parents=True)
        for path, content in [("pe-gen", b"\x7fELF, as it were"), ("licences/gmp", b"LGPL"), ("licences/README", b"")]:
            (built / path).write_bytes(content)
            os.utime(built / path, (date, date))
        path = built / backend.pack(built, "x86_64", built)
        os.umask(before)
        return path

    def test_has_the_program_the_module_and_the_licences(self):
        script = self.archive.getinfo(f"{name}.data/scripts/pe-gen")
        self.assertEqual(script.external_attr >> 16, 0o100755)
        self.assertEqual(self.archive.read(script), b"\x7fELF, as it were")
        names = self.archive.namelist()
        self.assertLess({"posenc/__init__.py", "posenc/py.typed", f"{name}.dist-info/licenses/gmp"}, set(names))
        self.assertFalse([path for path in names if "__pycache__" in path])

    def test_records_what_is_in_it(self):
        lines = self.archive.read(f"{name}.dist-info/RECORD").decode().splitlines()
        self.assertEqual(lines.pop(), f"{name}.dist-info/RECORD,,")
        self.assertEqual([line.split(",")[0] for line in lines], self.archive.namelist()[:-1])
        for line in lines:
            path, digest, size = line.split(",")
            content = self.archive.read(path)
            sha256 = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode()
            self.assertEqual((digest + "=", int(size)), (f"sha256={sha256}", len(content)))

    def test_is_tagged_as_its_name_says(self):
        text = self.archive.read(f"{name}.dist-info/WHEEL").decode()
        tags = [line.split("-")[-1] for line in text.splitlines() if line.startswith("Tag: py3-none-")]
        self.assertEqual(self.path.name, f"{name}-py3-none-{'.'.join(tags)}.whl")

    def test_is_the_same_for_any_umask_and_date(self):
        self.assertEqual(self.path.read_bytes(), self.packed("1", 0o077, time.time()).read_bytes())


class TestSdist(unittest.TestCase):
    @unittest.skipUnless((backend.top / ".git").exists(), "needs a clone")
    def test_has_the_source_and_the_metadata(self):
        with tempfile.TemporaryDirectory() as folder:
            with tarfile.open(os.path.join(folder, backend.build_sdist(folder))) as archive:
                members = archive.getmembers()
                info = archive.extractfile(f"{name}/PKG-INFO").read().decode()
        for path in ["pyproject.toml", "CMakeLists.txt", "cmake/wheel/backend.py", "src/cli/main.cpp"]:
            self.assertIn(f"{name}/{path}", [member.name for member in members])
        self.assertEqual({(member.mtime, member.uid, member.gid) for member in members}, {(backend.date, 0, 0)})
        self.assertEqual({member.mode for member in members}, {0o644, 0o755})
        self.assertIn(f"\nVersion: {os.environ['VERSION']}\n", info)
        self.assertIn("\nRequires-Dist: numpy\n", info)


if __name__ == "__main__":
    unittest.main()
