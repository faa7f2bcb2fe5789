"""posenc._where: which pe-gen is found, by where the module is."""

import importlib.util
import os
import pathlib
import shutil
import tempfile
import unittest
import unittest.mock

source = pathlib.Path(__file__).parents[2] / "src/python/posenc/_where.py"


class TestProgram(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        environment = unittest.mock.patch.dict(os.environ, {"PATH": str(self.root / "path")})
        environment.start()
        self.addCleanup(environment.stop)
        os.environ.pop("PEGEN_PROGRAM", None)
        self.made("path")

    def made(self, folder):
        """The path of a program that is put there."""
        path = self.root / folder / "pe-gen"
        path.parent.mkdir(parents=True)
        path.touch(0o755)
        return str(path)

    def found(self, site):
        """What the module finds that is below the folder `site`."""
        path = self.root / site / "posenc/_where.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, path)
        spec = importlib.util.spec_from_file_location("_where", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.program()

    def test_is_in_bin_beside_lib(self):
        program = self.made("venv/bin")
        self.assertEqual(self.found("venv/lib/python3.11/site-packages"), program)
        self.assertEqual(self.found("venv/lib/python3/dist-packages"), program)

    def test_is_in_bin_of_a_target(self):
        self.assertEqual(self.found("target"), str(self.root / "path/pe-gen"))
        program = self.made("target/bin")
        self.assertEqual(self.found("target"), program)

    def test_is_on_path_if_there_is_no_other(self):
        self.made("bin")  # too far above
        self.assertEqual(self.found("a/checkout/with/src/python"), str(self.root / "path/pe-gen"))

    def test_is_what_the_environment_says(self):
        self.made("target/bin")
        os.environ["PEGEN_PROGRAM"] = "/opt/pe-gen"
        self.assertEqual(self.found("target"), "/opt/pe-gen")

    def test_is_missed_with_a_sentence(self):
        os.environ["PATH"] = str(self.root)
        with self.assertRaisesRegex(FileNotFoundError, "neither installed with posenc nor on PATH"):
            self.found("target")


if __name__ == "__main__":
    unittest.main()
