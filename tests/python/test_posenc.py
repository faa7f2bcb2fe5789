"""The Python module, against files of the program. PEGEN_PROGRAM is pe-gen, PEGEN_LIBRARY libpegen."""

import copy
import io
import multiprocessing
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

try:
    import numpy
except ImportError:
    sys.exit(77)  # as skipped

import posenc


def of_program(arguments, format="npy"):
    """What the program writes."""
    command = [os.environ["PEGEN_PROGRAM"], *arguments.split(), f"--{format}", "-"]
    return subprocess.run(command, check=True, capture_output=True).stdout


def sum_of(table):
    return float(table.rows().sum(dtype="f8"))


def sum_of_large():
    return sum_of(posenc.Table("sinusoid", d=64, len=20000))


class TestTable(unittest.TestCase):
    def test_has_the_bytes_of_the_program(self):
        for arguments in [
            "fairseq --d 512 --len 1024",
            "sinusoid --d 6 --len 5 --dtype float64 --start -3",
            "mae --d 8 --height 3 --width 4 --dtype float16",
            "rope --d 8 --len 6 --table sin",
            "index --len 7",
            "shaw --queries 3 --keys 5 --table index",
            "alibi --heads 2 --queries 3",
            "learned --d 4 --len 5 --seed 3",
        ]:
            with self.subTest(arguments):
                table = posenc.table(arguments)
                expected = numpy.load(io.BytesIO(of_program(arguments)))
                self.assertEqual(table.dtype, expected.dtype)
                self.assertEqual(table.shape, expected.shape)
                self.assertEqual(table.tobytes(), expected.tobytes())

    def test_keywords_are_options(self):
        same = numpy.testing.assert_array_equal
        same(posenc.table("sinusoid", d=8, len=5, denom_shift=2),
             posenc.table("sinusoid --d 8 --len 5 --denom-shift 2"))
        same(posenc.table("sinusoid", d=8, start=-3, base=1e5, len=None),
             posenc.table("sinusoid --d 8 --start -3 --base 100000"))
        same(posenc.table("sinusoid", d=4, positions=[0, 2, 5]),
             posenc.table("sinusoid --d 4 --positions 0,2,5"))
        same(posenc.table("sinusoid", d=4, positions=numpy.arange(3) * 0.5),
             posenc.table("sinusoid --d 4 --positions 0,0.5,1"))
        same(posenc.table("sinusoid", d=numpy.int64(4), reverse=True),
             posenc.table("sinusoid --d 4 --reverse"))
        same(posenc.table("sinusoid", d=4, dtype=numpy.float16),
             posenc.table("sinusoid --d 4 --dtype float16"))
        same(posenc.table("sinusoid", d=4, reverse=False), posenc.table("sinusoid", "--d", "4"))

    def test_knows_axes_and_reads_some_rows(self):
        table = posenc.Table("sinusoid", d=6, len=10**12)
        self.assertEqual(table.shape, (10**12, 6))
        self.assertEqual(table.axes, ("position", "channel"))
        self.assertEqual(len(table), 10**12)
        self.assertIn("position 1000000000000", repr(table))
        rows = table.rows(10**11, 2)
        numpy.testing.assert_array_equal(rows, posenc.table("sinusoid", d=6, start=10**11, len=2))
        single = posenc.Table("index", len=9)
        numpy.testing.assert_array_equal(single.rows(4, 2).ravel(), [4, 5])
        numpy.testing.assert_array_equal(numpy.asarray(single), numpy.asarray(single.rows()))

    def test_can_be_copied_and_sent_to_other_processes(self):
        table = posenc.Table("sinusoid", d=6, len=5, positions_file=None)
        for again in [copy.copy(table), copy.deepcopy(table), pickle.loads(pickle.dumps(table))]:
            numpy.testing.assert_array_equal(again.rows(), table.rows())

    def test_threads_may_read_while_the_interpreter_ends(self):
        script = """
import posenc, threading
table = posenc.Table("sinusoid", d=64, len=20000)
def read():
    while True:
        table.rows()
for _ in range(4):
    threading.Thread(target=read, daemon=True).start()
table.rows()
"""
        subprocess.run([sys.executable, "-c", script], check=True)

    def test_has_bfloat16_as_numpy_can(self):
        table = posenc.table("sinusoid", d=4, len=3, dtype="bfloat16")
        self.assertEqual(table.itemsize, 2)
        expected = numpy.load(io.BytesIO(of_program("sinusoid --d 4 --len 3 --dtype bfloat16")))
        self.assertEqual(table.tobytes(), expected.tobytes())

    def test_warns_of_what_was_assumed(self):
        with tempfile.TemporaryDirectory() as folder:
            config = pathlib.Path(folder) / "config.json"
            config.write_text('{"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4}')
            with self.assertWarnsRegex(UserWarning, "took default of llama"):
                posenc.table("rope", config=config, len=4)

    def test_is_freed_and_shared_by_threads(self):
        table = posenc.Table("sinusoid", d=64, len=20000)
        expected, sums = sum_of(table), []
        threads = [threading.Thread(target=lambda: sums.append(sum_of(table))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sums, [expected] * 4)

    def test_is_read_by_forked_processes(self):
        expected = sum_of_large()
        with multiprocessing.get_context("fork").Pool(2) as pool:
            sums = [pool.apply_async(sum_of_large) for _ in range(2)]
            self.assertEqual([result.get(60) for result in sums], [expected] * 2)


class TestFiles(unittest.TestCase):
    def test_figures_are_shown_by_notebooks(self):
        png = posenc.figure("whisper", d=16, len=20, cmap="viridis")
        self.assertEqual(png, of_program("whisper --d 16 --len 20 --cmap viridis", "png"))
        self.assertEqual(png._repr_png_(), png)
        self.assertIsNone(png._repr_svg_())
        svg = posenc.figure("whisper", format="svg", d=16, len=20)
        self.assertIn("<svg", svg._repr_svg_())
        self.assertIsNone(svg._repr_png_())
        pdf = posenc.figure("whisper", format="pdf", d=16, len=20)
        self.assertEqual(pdf, of_program("whisper --d 16 --len 20", "pdf"))
        self.assertEqual(pdf._repr_pdf_(), pdf)
        self.assertIsNone(pdf._repr_svg_())
        self.assertIsNone(svg._repr_pdf_())

    def test_files_have_the_bytes_of_the_program(self):
        for format in ["npy", "npz", "safetensors", "csv", "json", "text"]:
            with self.subTest(format), tempfile.TemporaryDirectory() as folder:
                arguments = ["rope", "--d", "8", "--len", "3", "--quiet"]
                path = f"{folder}/expected"
                subprocess.run([os.environ["PEGEN_PROGRAM"], *arguments, f"--{format}", path],
                               check=True)
                expected = pathlib.Path(path).read_bytes()
                self.assertEqual(posenc.file(format, "rope", d=8, len=3), expected)

    def test_save_writes_by_the_extension(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "rope.npz"
            posenc.save(path, "rope", d=8, len=3, table=["cos", "sin"])
            self.assertEqual(sorted(numpy.load(path)), ["cos", "sin"])

    def test_paths_may_be_bytes(self):
        class Entry:  # as os.scandir(b".") has them
            def __init__(self, path):
                self.path = path

            def __fspath__(self):
                return self.path

        with tempfile.TemporaryDirectory() as folder:
            numpy.save(f"{folder}/p\udcff.npy", numpy.arange(3.0))
            name = os.fsencode(f"{folder}/p\udcff.npy")
            expected = posenc.table("sinusoid", d=4, positions=[0, 1, 2])
            for path in [name, Entry(name), os.fsdecode(name), Entry(os.fsdecode(name))]:
                numpy.testing.assert_array_equal(posenc.table("sinusoid", d=4, positions_file=path),
                                                 expected)
                posenc.save(path, "index", len=3)
                self.assertEqual(numpy.load(os.fsdecode(name)).shape, (3, 1))
                numpy.save(os.fsdecode(name), numpy.arange(3.0))


class TestOptions(unittest.TestCase):
    def test_dtypes_have_the_names_of_numpy(self):
        for name in ["f4", "<f4", "float", "double", "half", "e"]:
            with self.subTest(name):
                self.assertEqual(posenc.table("index", dtype=name).dtype, numpy.dtype(name))
        for name in ["i8", "int32", "int"]:
            with self.subTest(name):
                table = posenc.table("mrope", table="ids", dtype=name)
                self.assertEqual(table.dtype, numpy.dtype(name))
        for dtype in [">f4", numpy.dtype(">f8")]:
            with self.assertRaisesRegex(ValueError, "--dtype: >f. has another byte order"):
                posenc.table("index", dtype=dtype)
        for name in ["f4,f4", "U3", "flaot32", ""]:
            with self.assertRaisesRegex(ValueError, f"--dtype {name}"):
                posenc.table("index", dtype=name)

    def test_words_are_the_values_whatever_a_class_shows(self):
        class Metres(float):
            def __repr__(self):
                return "3 m"

        class Count(int):
            def __repr__(self):
                return "many"

        class Text(str):
            def __str__(self):
                return "other"

        numpy.testing.assert_array_equal(
            posenc.table("sinusoid", d=Count(4), start=Metres(3), layout=Text("halves")),
            posenc.table("sinusoid", d=4, start=3, layout="halves"))

    def test_lists_in_lists_are_refused(self):
        for nested in [[[0, 1], [2, 3]], numpy.zeros((2, 2)), [numpy.arange(2)], ([1],)]:
            with self.assertRaisesRegex(TypeError, "--positions: a list in a list"):
                posenc.table("sinusoid", d=4, positions=nested)


class TestRefusals(unittest.TestCase):
    def test_have_the_message_of_the_program(self):
        with self.assertRaisesRegex(ValueError, "did you mean 'fairseq'"):
            posenc.table("fairsec")
        with self.assertRaisesRegex(ValueError, "--d 5: must be even"):
            posenc.table("sinusoid", d=5)
        with self.assertRaisesRegex(ValueError, "--cmap"):
            posenc.table("sinusoid", cmap="viridis")
        with self.assertRaisesRegex(ValueError, "null character"):
            posenc.table("sinusoid\0")
        with self.assertRaisesRegex(TypeError, "--d"):
            posenc.table("sinusoid", d={})
        with self.assertRaisesRegex(TypeError, "4: a word is a text"):
            posenc.table("sinusoid", "--len", 4)
        with self.assertRaisesRegex(ValueError, "sinusoid --title 'a"):
            posenc.table("sinusoid --title 'a")
        with self.assertRaisesRegex(ValueError, "ask for each by itself"):
            posenc.table("rope", table=["cos", "sin"])
        with self.assertRaises(ValueError):
            posenc.Table("index", len=4).rows(3, 2)
        for first in [-1, 5, 2**64 + 1]:
            with self.assertRaises(ValueError):
                posenc.Table("index", len=4).rows(first, 1)
        with self.assertRaises(TypeError):
            posenc.Table("index", len=4).rows(1.0)
        with self.assertRaises(TypeError):
            posenc.table(["sinusoid"])
        with self.assertRaisesRegex(ValueError, "png, svg or pdf"):
            posenc.figure("sinusoid", format="npy")

    def test_files_raise_file_errors(self):
        with self.assertRaisesRegex(posenc.FileError, "/nowhere/at/all.npy") as caught:
            posenc.table("plot", "/nowhere/at/all.npy")
        self.assertIsInstance(caught.exception, OSError)
        self.assertIsInstance(caught.exception, ValueError)


if __name__ == "__main__":
    warnings.simplefilter("error", ResourceWarning)
    unittest.main()
