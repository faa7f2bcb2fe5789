"""The Python module, against files of the program. PEGEN_PROGRAM is pe-gen, PEGEN_LIBRARY libpegen, or "" for
what the module does without the library."""

import array
import contextlib
import copy
import doctest
import errno
import importlib
import io
import multiprocessing
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest
import warnings

try:
    import numpy
except ImportError:
    sys.exit(77)  # as skipped

import posenc
import posenc.testing
from posenc import _words

try:
    import torch
except ImportError:
    torch = None


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
        self.assertEqual((table.ndim, table.size, table.nbytes), (2, 6 * 10**12, 24 * 10**12))
        single = posenc.Table("index", len=9)
        numpy.testing.assert_array_equal(single.rows(4, 2).ravel(), [4, 5])
        numpy.testing.assert_array_equal(numpy.asarray(single), numpy.asarray(single.rows()))

    def test_is_an_array_that_is_lazy(self):
        for arguments in ["sinusoid --d 4 --len 9", "alibi --heads 3 --len 4", "rope --table inv-freq --d 8",
                          "t5 --len 3", "concat -- index --len 4 -- index --len 4",
                          "sinusoid --d 4 --len 9 --dtype float16 --threads 1",
                          "attention shaw --tokens 4 --d 4 --heads 2", "mae --d 8"]:
            table = posenc.Table(arguments)
            values = numpy.asarray(table)
            keys = [0, -1, slice(1, 3), slice(None), slice(None, None, -2), slice(3, 1), slice(-1, 0, -3), [1, 0], ...]
            if table.ndim > 1 and values.shape[1] > 2:
                keys += [(1, 1), (slice(1, 2), ..., -1), (slice(0, 2), [0, 2, 1])]
            for key in keys:
                with self.subTest(arguments, key=key):
                    numpy.testing.assert_array_equal(table[key], values[key])
            numpy.testing.assert_array_equal(list(table), values)
            for index in [len(values), -len(values) - 1]:
                with self.assertRaises(IndexError):
                    table[index]
        large = posenc.Table("sinusoid", d=4, len=10**12)
        numpy.testing.assert_array_equal(large[-2:, 0], large.rows(10**12 - 2)[:, 0])
        numpy.testing.assert_array_equal(large[::10**11, 1], [large[number * 10**11, 1] for number in range(10)])
        self.assertEqual(sum(1 for row in posenc.Table("sinusoid", d=64, len=20000)), 20000)

    @unittest.skipUnless(hasattr(numpy, "from_dlpack"), "NumPy is older than 1.22")
    def test_is_exchanged_by_dlpack(self):
        numpy.testing.assert_array_equal(numpy.from_dlpack(posenc.Table("index", len=4)), posenc.table("index", len=4))

        class OfAnotherLibrary:
            def __dlpack__(self, **options):
                return TestArrays.values.__dlpack__(**options)

            def __dlpack_device__(self):
                return 1, 0

        self.assertEqual(posenc.diff(OfAnotherLibrary(), TestArrays.values).differing, 0)

    def test_may_be_indexed_by_arrays(self):
        table = posenc.Table("sinusoid", d=4, len=100)
        values = numpy.asarray(table)
        for key in [numpy.array([1, 50]), numpy.arange(100), values[:, 0] > 0.5, numpy.array([], int), (), None,
                    (numpy.array([1, 2]), 0), ([3, 1], slice(1, 3)), numpy.int64(7), numpy.True_, (slice(None), 0)]:
            numpy.testing.assert_array_equal(table[key], values[key])
        large = posenc.Table("sinusoid", d=4, len=10**10)
        numpy.testing.assert_array_equal(large[[1, 10**9]], [large[1], large[10**9]])

    def test_values_are_the_callers_own(self):
        for arguments in ["shaw --d 4 --len 4", "sinusoid --d 128 --len 400"]:
            table = posenc.Table(arguments)
            before = numpy.asarray(table).copy()
            numpy.asarray(table)[...] = 77
            numpy.testing.assert_array_equal(table, before)
        positions = [0, 1, 2]
        table = posenc.Table("sinusoid", d=4, positions=positions)
        positions.append(3)
        self.assertEqual(pickle.loads(pickle.dumps(table)).shape, (3, 4))

    def test_without_room_is_a_memory_error(self):
        for make in [lambda: posenc.table("sinusoid", d=128, len=10**12),
                     lambda: numpy.asarray(posenc.Table("sinusoid", d=128, len=10**12))]:
            with self.assertRaises(MemoryError):
                make()

    def test_has_any_number_of_positions(self):
        self.assertEqual(posenc.table("sinusoid", d=2, positions=numpy.arange(10**5)).shape, (10**5, 2))
        self.assertEqual(posenc.table("sinusoid", d=2, positions=list(range(40000))).shape, (40000, 2))

    def test_several_tables_are_a_dict_or_a_tuple(self):
        tables = posenc.tables("rope", d=8, len=3)
        cos, sin = posenc.table("rope", d=8, len=3, table=["cos", "sin"])
        numpy.testing.assert_array_equal(cos, tables["cos"])
        numpy.testing.assert_array_equal(sin, posenc.table("rope", d=8, len=3, table="sin"))
        self.assertEqual(list(posenc.tables("rope", d=8, table=["sin", "cos"])), ["sin", "cos"])
        tables["cos"][0] = 7  # the arrays are the caller's own

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

    def test_is_read_by_spawned_processes(self):
        table = posenc.Table("sinusoid", d=64, positions_file=numpy.arange(100.0))
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            self.assertEqual(pool.apply(sum_of, [table]), sum_of(table))


class TestFiles(unittest.TestCase):
    def test_figures_are_shown_by_notebooks(self):
        png = posenc.figure("whisper", d=16, len=20, cmap="viridis")
        self.assertEqual(bytes(png), of_program("whisper --d 16 --len 20 --cmap viridis", "png"))
        self.assertEqual(png._repr_png_(), (bytes(png), {"width": 1000, "height": 800}))
        self.assertEqual(repr(png), "<posenc.Figure: png, 1000 x 800 pixels>")
        self.assertIsNone(png._repr_svg_())
        svg = posenc.figure("whisper", format="svg", d=16, len=20)
        self.assertIn("<svg", svg._repr_svg_())
        self.assertIsNone(svg._repr_png_())
        pdf = posenc.Table("whisper", d=16, len=20).figure("pdf")
        self.assertEqual(bytes(pdf), of_program("whisper --d 16 --len 20", "pdf"))
        self.assertEqual(pdf._repr_pdf_(), bytes(pdf))
        self.assertIsNone(pdf._repr_svg_())
        self.assertIsNone(svg._repr_pdf_())

    def test_figures_are_saved_and_shown_in_terminals(self):
        figure = posenc.figure("whisper", d=16, len=20)
        with tempfile.TemporaryDirectory() as folder:
            figure.save(f"{folder}/a.png")
            self.assertEqual(pathlib.Path(f"{folder}/a.png").read_bytes(), bytes(figure))
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            figure.show()
        self.assertIn("Sequence Position", shown.getvalue())

    def test_figures_may_be_copied(self):
        figure = posenc.plot(numpy.eye(8))
        again = pickle.loads(pickle.dumps(copy.deepcopy(figure)))
        self.assertEqual(bytes(again), bytes(figure))
        del again
        with contextlib.redirect_stdout(io.StringIO()):
            figure.show()
        self.assertEqual(bytes(posenc.plot(numpy.eye(8))), bytes(figure))  # whatever files are open
        for path in ["a.svg", b"a.pdf"]:
            with self.assertRaisesRegex(ValueError, "the figure is png"):
                figure.save(path)
        content = io.BytesIO()
        figure.save(content)
        self.assertEqual(content.getvalue(), bytes(figure))

    def test_arrays_are_plotted(self):
        values = posenc.table("whisper", d=16, len=20)
        with tempfile.TemporaryDirectory() as folder:
            numpy.save(f"{folder}/a.npy", values)
            expected = of_program(f"plot {folder}/a.npy --axes position,channel --title mine", "svg")
            svg = bytes(posenc.plot(f"{folder}/a.npy", axes="position,channel", title="mine", format="svg"))
        self.assertEqual(svg, expected)
        # But for the command in it, which names the file.
        mine = bytes(posenc.plot(values, axes=["position", "channel"], title="mine", format="svg"))
        different = [a for a, b in zip(mine.splitlines(), expected.splitlines()) if a != b]
        self.assertEqual(len(different), 1)
        self.assertIn(b"npy-in&quot;:&quot;-&quot;", different[0])

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

    def test_save_writes_to_open_files(self):
        content = io.BytesIO()
        posenc.save(content, "rope", d=8, len=3, format="npz")
        self.assertEqual(sorted(numpy.load(io.BytesIO(content.getvalue()))), sorted(posenc.tables("rope", d=8)))
        with tempfile.TemporaryDirectory() as folder, open(f"{folder}/a.npy", "w+b") as opened:
            posenc.save(opened, "index", len=3)
            opened.seek(0)
            self.assertEqual(numpy.load(opened).shape, (3, 1))
        with self.assertRaisesRegex(ValueError, "format"):
            posenc.save(io.BytesIO(), "index")

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


class TestReports(unittest.TestCase):
    whisper = posenc.table("whisper", d=64, len=50)

    def test_are_those_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            numpy.save(f"{folder}/a.npy", self.whisper)
            for report, command in [
                (posenc.identify(f"{folder}/a.npy"), ["identify", f"{folder}/a.npy"]),
                (posenc.compare("whisper", "marian", d=8), ["compare", "whisper", "marian", "--d", "8"]),
                (posenc.check("sinusoid --d 8"), ["check", "sinusoid", "--d", "8"]),
                (posenc.explain("sinusoid", d=8, at=(7, 3)), ["explain", "sinusoid", "--d", "8", "--at", "7,3"]),
                (posenc.describe("whisper"), ["describe", "whisper"]),
                (posenc.diff("whisper --d 8", "marian --d 8"), ["diff", "--", "whisper", "--d", "8", "--", "marian",
                                                                "--d", "8"]),
            ]:
                with self.subTest(command):
                    printed = subprocess.run([os.environ["PEGEN_PROGRAM"], *command], capture_output=True)
                    self.assertEqual(report.text, printed.stdout.decode())
                    self.assertEqual(repr(report), report.text.rstrip("\n"))
                    self.assertEqual(bool(report), printed.returncode == 0)
                    self.assertEqual(report.json["text"], report.text)

    def test_have_fields(self):
        found = posenc.identify(self.whisper)
        self.assertEqual(found.verdict, "identified")
        self.assertIn("whisper", found.presets)
        numpy.testing.assert_array_equal(posenc.table(found.command), self.whisper)
        self.assertFalse(posenc.identify(numpy.random.default_rng(1).random((40, 24))))
        self.assertTrue(posenc.compare(self.whisper, "whisper").close)
        self.assertFalse(posenc.compare(self.whisper, "fairseq"))
        different = posenc.diff(self.whisper, self.whisper + numpy.inf)
        self.assertEqual((different.equal, different.differing, different.largest), (False, 3200, numpy.inf))
        self.assertIsNone(posenc.diff(self.whisper, self.whisper[1:]).differing)
        self.assertEqual(posenc.check(numpy.ones((3, 4))).failed[0], "unique")
        self.assertEqual(posenc.explain("sinusoid", d=4, at=[0, 1]).value, "1")
        self.assertEqual(posenc.describe("whisper").preset["encoding"], "sinusoid")
        self.assertIn("<pre>verdict", found._repr_html_())
        names = [entry.name for entry in posenc.list()]
        self.assertTrue({"sinusoid", "whisper"} < set(names))
        self.assertEqual(posenc.list(search="diffwave")[0].name, "diffwave")
        self.assertEqual({entry.name for entry in posenc.list("formats")}, {*_words.FORMATS, "show"})

    def test_kernels_and_weights_are_identified(self):
        queries = numpy.random.default_rng(0).standard_normal((2, 3, 40, 64)).astype("f4")
        kernel = posenc.identify(before=queries, after=posenc.apply("gpt-j", queries))
        self.assertIn("--pairing interleaved", kernel.command)
        self.assertIn("--x before", kernel.command)
        weight = queries[0].reshape(120, 64)
        permuted = posenc.apply("rope-permute", weight, heads=1, from_="interleaved", to="half", rotary_dim=120)
        self.assertEqual(posenc.identify(permuted=permuted, of=weight).verdict, "identified")

    def test_models_are_described(self):
        config = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4}
        described = posenc.describe(config=config)
        self.assertIn("--d 16", described.commands[0])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.assertEqual(posenc.table("rope", config=config, len=4).shape, (4, 16))
            self.assertEqual(posenc.Table("rope", config=types.SimpleNamespace(to_dict=lambda: config)).shape[1], 16)

    def test_positions_are_applied(self):
        ones = numpy.ones((5, 8))
        numpy.testing.assert_array_equal(posenc.apply("add", ones, table="sinusoid"),
                                         ones + posenc.table("sinusoid", d=8, len=5, dtype=float))
        self.assertEqual(posenc.resize(numpy.ones((17, 8)), (6, 6), as_="vit").shape, (37, 8))
        x = numpy.random.default_rng(0).standard_normal((6, 8))
        one = numpy.eye(8)
        given = posenc.attention("rope", d=8, heads=1, x=x, wq=one, wk=one, wv=one, table="q")
        numpy.testing.assert_array_equal(numpy.squeeze(given)[0], x[0])

    def test_say_what_is_the_encoding(self):
        posenc.testing.assert_is(self.whisper, "whisper")
        posenc.testing.assert_is(self.whisper.astype("f2"), "whisper")
        posenc.testing.assert_is(lambda q: posenc.apply("gpt-j", q), "gpt-j")
        posenc.testing.assert_is(lambda q: posenc.apply("rope", q, start=3), "rope", start=3, d=32)
        posenc.testing.assert_is(self.whisper[:, None], "whisper")
        posenc.testing.assert_is(lambda x: x + self.whisper, "whisper", x=numpy.ones((3, 50, 64)))

        def in_place(x):
            x[...] = posenc.apply("rope", x)
            return x

        posenc.testing.assert_is(in_place, "rope")
        for wrong in [lambda x: posenc.apply("rope", x) + 1j, lambda x: x.fill(0) or x]:
            with self.assertRaisesRegex(AssertionError, "not rope"):
                posenc.testing.assert_is(wrong, "rope")
        posenc.testing.assert_is(lambda x: posenc.apply("rope", x, dtype="bfloat16"), "rope")
        with self.assertRaisesRegex(AssertionError, "its shape is"):
            posenc.testing.assert_is(numpy.ones((3, 4, 5)), "whisper")
        with self.assertRaisesRegex(AssertionError, "not fairseq\n.*row 1"):
            posenc.testing.assert_is(self.whisper, "fairseq")
        with self.assertRaisesRegex(AssertionError, "m and m \\+ 32"):
            posenc.testing.assert_is(lambda q: posenc.apply("rope", q), "gpt-j")
        with self.assertRaisesRegex(AssertionError, "returns float32 .63, 64. for"):
            posenc.testing.assert_is(lambda q: q[1:], "rope")


class TestArrays(unittest.TestCase):
    values = posenc.table("sinusoid", d=16, len=24)

    def same(self, given, dtype="float32"):
        found = posenc.identify(given)
        self.assertEqual(found.json["dtype"], dtype)
        self.assertEqual(found.command.split()[1], "sinusoid")

    def test_may_be_of_any_kind(self):
        self.same(self.values)
        self.same(self.values.tolist(), "float64")
        self.same([tuple(row) for row in self.values.astype(float)], "float64")
        self.same(numpy.asfortranarray(self.values))
        self.same(numpy.repeat(self.values, 2, axis=0)[::2])
        self.same(numpy.flip(numpy.flip(self.values).copy()))
        self.same(memoryview(self.values))
        self.same(self.values.astype(">f4"))
        self.same(posenc.Table("sinusoid", d=16, len=24))
        self.same(posenc.table("sinusoid", d=16, len=24, dtype="bfloat16"), "bfloat16")
        read_only = self.values.copy()
        read_only.flags.writeable = False
        self.same(read_only)
        line = array.array("d", [0, 1, 2, 3])
        self.assertEqual(posenc.table("sinusoid", d=2, positions=line).shape, (4, 2))
        self.assertEqual(posenc.table("sinusoid", d=2, positions_file=line).shape, (4, 2))

    @unittest.skipUnless(torch, "there is no PyTorch")
    def test_may_be_tensors(self):
        tensor = torch.tensor(self.values, requires_grad=True)
        self.same(tensor)
        self.same(tensor.bfloat16(), "bfloat16")
        self.same(torch.nn.Parameter(tensor.detach().half()), "float16")
        self.same(tensor.T.contiguous().T)
        table = posenc.Table("sinusoid", d=16, len=24)
        for made in [torch.as_tensor(table[:]), torch.from_dlpack(table)]:
            self.assertTrue(torch.equal(made, tensor.detach()))
        self.assertEqual(posenc.table("sinusoid", d=4, dtype=torch.float16).dtype, numpy.float16)
        numpy.testing.assert_array_equal(posenc.table("sinusoid", d=4, base=torch.tensor(100.0).bfloat16()),
                                         posenc.table("sinusoid", d=4, base=100))

    def test_bad_ones_are_refused_by_name(self):
        for given, error, said in [
            (numpy.array([None]), TypeError, "array: ndarray of object"),
            (numpy.array(["a"]), TypeError, "array: ndarray of <U1"),
            (numpy.zeros((0, 4)), ValueError, r"array: has shape \(0, 4\)"),
            ([[1, 2], [3]], TypeError, "array: "),
            ({"a": 1}, TypeError, "array: dict"),
            (numpy.zeros(3, [("a", "f4")]), ValueError, "array: "),
            ("/nowhere.npy", posenc.FileError, "/nowhere.npy"),
            (object(), TypeError, "array: "),
        ]:
            with self.subTest(repr(given)), self.assertRaisesRegex(error, said):
                posenc.identify(given)
        self.assertFalse(posenc.identify(numpy.full((4, 4), numpy.nan)))
        with self.assertRaisesRegex(TypeError, "x: "):
            posenc.apply("rope", object())
        with self.assertRaisesRegex(ValueError, "config: rope_theta"):
            posenc.table("rope", config={"rope_theta": object()})
        with self.assertRaisesRegex(TypeError, "config: "):
            posenc.table("rope", config=3)
        with open(__file__, "rb") as opened, self.assertRaisesRegex(TypeError, "array: "):
            posenc.identify(opened)
        with self.assertRaisesRegex(TypeError, "array: has masked values"):
            posenc.identify(numpy.ma.masked_less(self.values, 0))


class TestFlaws(unittest.TestCase):
    def test_are_options_like_others(self):
        noisy = posenc.table("sinusoid", d=8, len=20, noise=0.1, corruption_seed=3)
        numpy.testing.assert_array_equal(posenc.table("sinusoid", d=8, len=20, noise=0.1, corruption_seed=3), noisy)
        difference = noisy - posenc.table("sinusoid", d=8, len=20)
        self.assertTrue(0.05 < difference.std() < 0.2)
        table = posenc.Table("sinusoid", d=8, len=20, noise=0.1, corruption_seed=3)
        numpy.testing.assert_array_equal(table.rows(5, 3), noisy[5:8])


class TestModule(unittest.TestCase):
    def test_has_the_manners_of_a_package(self):
        said = subprocess.run([sys.executable, "-m", "posenc", "--version"], capture_output=True, check=True)
        self.assertEqual(said.stdout.decode().split("\n")[0], f"pe-gen {posenc.__version__}")
        self.assertEqual(set(posenc.__all__) - set(dir(posenc)), set())
        self.assertEqual({name for name in dir(posenc) if not name.startswith("__")}, {*posenc.__all__, "list"})
        for name in posenc.__all__:
            self.assertTrue(getattr(posenc, name).__doc__, name)

    def test_examples_are_true(self):
        for name in sorted(os.listdir(os.path.dirname(posenc.__file__))):
            stem = name.partition(".")[0]
            if name.endswith(".py") and stem != "__main__":
                module = posenc if stem == "__init__" else importlib.import_module(f"posenc.{stem}")
                self.assertEqual(doctest.testmod(module).failed, 0, name)

    def test_interrupts_end_the_program(self):
        script = "import posenc; print(1, flush=True); posenc.table('learned --seed 1 --d 4096 --len 400000')"
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**os.environ, "PEGEN_LIBRARY": ""}, start_new_session=True) as process:
            process.stdout.readline()
            time.sleep(0.5)
            os.killpg(process.pid, signal.SIGINT)
            self.assertIn(b"KeyboardInterrupt", process.communicate(timeout=20)[1])
        with self.assertRaises(ProcessLookupError):
            os.killpg(process.pid, 0)

    def test_needs_no_standard_streams(self):
        script = "import posenc, sys; sys.exit(not posenc.diff([[1.0, 2.0]], [[1.0, 2.0]]))"
        for closed in ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"]:
            done = subprocess.run(["sh", "-c", f'"$0" -c "$1" {closed}', sys.executable, script])
            self.assertEqual(done.returncode, 0, closed)

    def test_says_when_the_program_is_none(self):
        script = """
import os, signal, posenc
for program, said in [("/bin/echo", "does not answer"), ("/bin/false", "does not answer"), ("/nowhere", "/nowhere")]:
    os.environ.update(PEGEN_PROGRAM=program, PEGEN_LIBRARY="")
    for call in [lambda: posenc.table("index"), lambda: posenc.Table("index"), lambda: posenc.identify([[1.0]])]:
        try:
            call()
        except (RuntimeError, OSError) as error:
            assert said in str(error), error
        else:
            raise AssertionError(program)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
try:
    posenc.table("index")
except RuntimeError:
    print("refused")
"""
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
        self.assertEqual(done.stdout, b"refused\n")

    def test_files_in_memory_are_closed(self):
        before = len(os.listdir("/dev/fd"))
        for _ in range(20):
            posenc.identify(TestArrays.values)
            posenc.table("sinusoid", d=4, positions_file=numpy.arange(3.0))
        self.assertLess(len(os.listdir("/dev/fd")), before + 5)


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
        with self.assertRaisesRegex(TypeError, "--table: .1, 2. is no list of names"):
            posenc.table("rope", table=[1, 2])
        with self.assertRaisesRegex(TypeError, "--d"):
            posenc.table("sinusoid", d={})
        with self.assertRaisesRegex(TypeError, "4: a word is a text"):
            posenc.table("sinusoid", "--len", 4)
        with self.assertRaisesRegex(ValueError, "sinusoid --title 'a"):
            posenc.table("sinusoid --title 'a")
        for command in ["rope --table cos,sin", "sinusoid --npy a.npy", "sinusoid -o a.npy", "sinusoid --show",
                        "sinusoid -oa.npy", "sinusoid -qoa.npy", "sinusoid --help", "sinusoid --dry_run",
                        "--version", "identify", "list", "batch a.json"]:
            with self.subTest(command), self.assertRaises(ValueError):
                posenc.table(command)
            with self.subTest(command), self.assertRaises(ValueError):
                posenc.Table(command)
        for call in [lambda: posenc.save("a.npy\0.evil", "index"), lambda: posenc.plot(numpy.eye(2), title="a\0b"),
                     lambda: posenc.check("index\0"), lambda: posenc.identify("a\0b")]:
            with self.assertRaisesRegex(ValueError, "has a null character"):
                call()
        for call in [lambda: posenc.save("a.npy", "index --help"), lambda: posenc.save("a.npy", "index", dry_run=True)]:
            with self.assertRaisesRegex(ValueError, "writes and shows nothing"):
                call()
        with self.assertRaisesRegex(ValueError, "too long for a command line"):
            posenc.identify("a" * 200000)
        with self.assertRaisesRegex(posenc.FileError, "./-x.npy: "):
            posenc.identify(pathlib.Path("-x.npy"))
        with self.assertRaisesRegex(posenc.FileError, "/dev/fd/35[0-9]: "):
            posenc.diff(numpy.eye(2), pathlib.Path("/dev/fd/358"))
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
        self.assertEqual(caught.exception.errno, errno.ENOENT)


if __name__ == "__main__":
    warnings.simplefilter("error", ResourceWarning)
    unittest.main()
