#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>
#include <string>

#include "cli/batch/manifest.h"
#include "core/error.h"

using namespace pegen;
using namespace pegen::cli;

namespace {

std::string refusal_of(std::string_view text) {
    try {
        parse_manifest(text, "m.json");
    } catch (const FormatError& error) {
        return error.what();
    }
    return "accepted";
}

/// Returns the settings as text: "encoding key=text key=text".
std::string shown(const Job& job) {
    std::string text(job.name);
    for (const Setting* s : job.settings) text += fmt::format(" {}={}", s->key, s->value.text);
    return text;
}

/// Returns what is drawn for "value" of all samples of a job, separated by spaces, or the message
/// that refuses it.
std::string drawn(std::string_view distribution, std::string_view sample) {
    try {
        const Manifest manifest = parse_manifest(
            fmt::format(R"({{"jobs": [{{"encoding": "x", "value": {}, "sample": {}}}]}})",
                        distribution, sample),
            "m.json");
        std::string text;
        for (std::size_t i = 0; i < manifest.size; ++i) {
            text += (i == 0 ? "" : " ") + manifest.job(i).settings.back()->value.text;
        }
        return text;
    } catch (const FormatError& error) {
        return error.what();
    }
}

std::string nested(int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']');
}

}  // namespace

TEST_CASE("manifest: values are what one would type") {
    const Manifest manifest = parse_manifest(
        R"({"$schema": "x", "defaults": {"dtype": "float64"}, "jobs": [
            {"encoding": "sinusoid", "d_model": 128, "base": 1e4, "start": -3, "step": 0.25,
             "reverse": true, "positions": [1, 2.5, "3"], "npy": "a.npy"}]})",
        "m.json");
    REQUIRE(manifest.size == 1);
    CHECK(shown(manifest.job(0)) ==
          "sinusoid d-model=128 base=10000 start=-3 step=0.25 reverse=true positions=1,2.5,3 "
          "npy=a.npy");
    CHECK(manifest.job(0).place == "jobs[0]");
    REQUIRE(manifest.defaults.size() == 1);
    CHECK(manifest.defaults[0].key == "dtype");
}

TEST_CASE("manifest: a sweep is a job for each combination and its first option the slowest") {
    const Manifest manifest = parse_manifest(
        R"({"jobs": [{"encoding": "index", "npy": "a"},
                     {"len": 5, "sweep": {"encoding": ["mae", "jepa"], "d": [8, 16, 24]}}]})",
        "m.json");
    REQUIRE(manifest.size == 7);
    CHECK(shown(manifest.job(1)) == "mae len=5 d=8");
    CHECK(shown(manifest.job(3)) == "mae len=5 d=24");
    CHECK(shown(manifest.job(4)) == "jepa len=5 d=8");
    CHECK(manifest.job(4).place == "jobs[1] with encoding jepa, d 8");
}

TEST_CASE("manifest: an encoding may be a default") {
    const Manifest manifest = parse_manifest(
        R"({"defaults": {"encoding": "mae"}, "jobs": [{"d": 8}, {"encoding": "timm"}]})", "m.json");
    CHECK(manifest.job(0).name == "mae");
    CHECK(manifest.job(1).name == "timm");
}

TEST_CASE("manifest: labels are those of the job, of its sweep and of the defaults") {
    const Manifest manifest = parse_manifest(
        R"({"defaults": {"labels": {"split": "train", "my_set": 1}}, "jobs": [
            {"encoding": "index", "labels": {"split": "test", "big": true},
             "sweep": {"labels": {"fold": {"from": 0, "to": 1}}, "len": [3, 4]}},
            {"encoding": "index", "labels": {"my-set": 2}}]})",
        "m.json");
    const auto labels = [&](std::size_t number) {
        std::string text;
        for (const Setting* label : manifest.job(number).labels) {
            text += fmt::format(" {}={}", label->key, label->value.text);
        }
        return text;
    };
    REQUIRE(manifest.size == 5);
    CHECK(labels(0) == " split=test big=true fold=0 my_set=1");
    CHECK(labels(3) == " split=test big=true fold=1 my_set=1");
    CHECK(manifest.job(3).place == "jobs[0] with fold 1, len 4");
    CHECK(labels(4) == " my-set=2 split=train");
}

TEST_CASE("manifest: labels that cannot be are refused with the place") {
    const auto refusal = [](std::string_view labels) {
        return refusal_of(fmt::format(R"({{"jobs": [{{"encoding": "mae", {}}}]}})", labels));
    };
    CHECK(refusal(R"("labels": 3)") ==
          "m.json: jobs[0].labels: must be an object, {\"split\": \"train\"}");
    CHECK(refusal(R"("labels": {"a": [1]})") ==
          "m.json: jobs[0].labels.a: must be a text, a number, true or false");
    CHECK(refusal(R"("labels": {"a:1": 2})") ==
          "m.json: jobs[0].labels.a:1: the name of a label has no '{', '}', ':' or '/'");
    CHECK(refusal(R"("labels": {"a_b": 2, "a-b": 2})") ==
          "m.json: jobs[0].labels.a-b: is there twice, with '_' and with '-'");
    CHECK(refusal(R"("labels": {"a_b": 2}, "sweep": {"labels": {"a-b": [2]}})") ==
          "m.json: jobs[0].sweep.labels.a-b: is there twice, in the sweep and outside of it");
    std::string many;
    for (int i = 0; i < 65; ++i) many += fmt::format("{}\"l{}\": 1", i > 0 ? "," : "", i);
    CHECK(refusal("\"labels\": {" + many + "}") == "m.json: jobs[0].labels: more than 64 labels");
}

TEST_CASE("manifest: null is no value anywhere, and is refused where it stands") {
    const auto refusal = [](const std::string& text, std::string_view place) {
        CAPTURE(text);
        CHECK(refusal_of(text).starts_with(fmt::format("m.json: {}: must be ", place)));
    };
    for (const char* key : {"$schema", "mkdir", "index", "defaults"}) {
        refusal(fmt::format(R"({{"{}": null, "jobs": []}})", key), key);
    }
    refusal(R"({"jobs": null})", "jobs");
    refusal(R"({"jobs": [null]})", "jobs[0]");
    const auto of_job = [&](const std::string& members, std::string_view place) {
        refusal(fmt::format(R"({{"jobs": [{{"encoding": "mae", {}}}]}})", members),
                fmt::format("jobs[0].{}", place));
    };
    const auto of_each = [&](const std::string& members, std::string_view place) {
        of_job(members, place);
        refusal(fmt::format(R"({{"defaults": {{{}}}, "jobs": []}})", members),
                fmt::format("defaults.{}", place));
    };
    refusal(R"({"jobs": [{"encoding": null}]})", "jobs[0].encoding");
    for (const char* key : {"d", "len", "npy", "dtype", "padding-row", "title"}) {
        of_each(fmt::format("\"{}\": null", key), key);
        of_each(fmt::format("\"{}\": [1, null]", key), fmt::format("{}[1]", key));
        of_job(fmt::format(R"("sweep": {{"{}": null}})", key), fmt::format("sweep.{}", key));
        of_job(fmt::format(R"("sweep": {{"{}": [null]}})", key), fmt::format("sweep.{}[0]", key));
        of_job(fmt::format(R"("sweep": {{"{}": [[null]]}})", key),
               fmt::format("sweep.{}[0][0]", key));
    }
    of_each(R"("labels": null)", "labels");
    of_each(R"("labels": {"a": null})", "labels.a");
    of_job(R"("sweep": null)", "sweep");
    of_job(R"("sweep": {"labels": null})", "sweep.labels");
    of_job(R"("sweep": {"labels": {"a": null}})", "sweep.labels.a");
    of_job(R"("sweep": {"labels": {"a": [null]}})", "sweep.labels.a[0]");
    of_job(R"("sweep": {"d": {"from": null, "to": 1}})", "sweep.d.from");
    of_job(R"("sweep": {"d": {"from": 0, "to": null}})", "sweep.d.to");
    of_job(R"("sweep": {"d": {"from": 0, "to": 1, "step": null}})", "sweep.d.step");
    for (const char* spacing : {"linspace", "logspace", "geomspace"}) {
        const std::string place = fmt::format("sweep.d.{}", spacing);
        of_job(fmt::format(R"("sweep": {{"d": {{"{}": null}}}})", spacing), place);
        of_job(fmt::format(R"("sweep": {{"d": {{"{}": [null, 1, 2]}}}})", spacing), place + "[0]");
        of_job(fmt::format(R"("sweep": {{"d": {{"{}": [0, 1, null]}}}})", spacing), place + "[2]");
    }
}

TEST_CASE("manifest: index and mkdir are of the whole manifest") {
    const Manifest manifest =
        parse_manifest(R"({"index": "i.jsonl", "mkdir": true, "jobs": []})", "m.json");
    CHECK(manifest.index == "i.jsonl");
    CHECK(manifest.makes_folders);
    CHECK(refusal_of(R"({"index": true, "jobs": []})") ==
          "m.json: index: must be a name that ends in .jsonl, such as \"index.jsonl\"");
    CHECK(refusal_of(R"({"mkdir": "yes", "jobs": []})") == "m.json: mkdir: must be true or false");
}

TEST_CASE("manifest: what is none is refused with the place") {
    CHECK(refusal_of("") == "m.json: is empty, and no JSON text");
    CHECK(refusal_of("{\"jobs\": [\n{\"d\": 1e400}]}") ==
          "m.json: line 2: number overflow parsing '1e400'");
    CHECK(refusal_of("{\"jobs\": [{\"d\": \"\xff\"}]}").find("invalid string: ill-formed UTF-8") !=
          std::string::npos);
    CHECK(refusal_of(R"({"jobs": [{"npy": "a\u0000b"}]})") ==
          "m.json: jobs[0]: a text has the character \\u0000 in it");
    CHECK(refusal_of(R"({"jobs": [{"d": 1, "d": 2}]})") ==
          "m.json: jobs[0]: the key \"d\" is there twice");
    CHECK(refusal_of(R"({"jobs": [{"zero_row": 1, "zero-row": 2}]})") ==
          "m.json: jobs[0].zero-row: is there twice, with '_' and with '-'");
    CHECK(
        refusal_of(nested(40)) ==
        "m.json: [0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]"
        "[0][0][0][0]: nested deeper than 32");
    CHECK(refusal_of(nested(1'000'000)).ends_with("nested deeper than 32"));
    CHECK(refusal_of("[]") == "m.json: must be an object, {\"jobs\": [...]}");
    CHECK(refusal_of("{}") == "m.json: needs \"jobs\": [...]");
    CHECK(refusal_of("{\"jobs\": []} x").starts_with("m.json: line 1, column 14: syntax error"));
    CHECK(refusal_of(R"({"jobs": [], "job": 1})") ==
          "m.json: job: unknown key; did you mean 'jobs'?");
    CHECK(refusal_of(R"({"jobs": {}})") == "m.json: jobs: must be an array, [...]");
    CHECK(refusal_of(R"({"jobs": [1]})") ==
          "m.json: jobs[0]: must be an object, {\"encoding\": ...}");
    CHECK(refusal_of(R"({"jobs": [{"npy": "a"}]})") ==
          "m.json: jobs[0]: needs an \"encoding\": the name of an encoding or of a preset, such as "
          "\"sinusoid\" or \"bert\"");
    CHECK(refusal_of(R"({"jobs": [{"encoding": "mae", "d": null}]})") ==
          "m.json: jobs[0].d: must be a text, a number, true or false, or a list of these");
    CHECK(refusal_of(R"({"jobs": [{"encoding": "mae", "base": [1, [2]]}]})") ==
          "m.json: jobs[0].base[1]: must be a text, a number, true or false");
    CHECK(refusal_of(R"({"jobs": [{"encoding": "mae", "d": 8, "sweep": {"d": [8]}}]})") ==
          "m.json: jobs[0].sweep.d: is there twice, in the sweep and outside of it");
    CHECK(refusal_of(R"({"jobs": [{"encoding": "mae", "sweep": {"d": []}}]})") ==
          "m.json: jobs[0].sweep.d: needs at least one value");
    CHECK(refusal_of(R"({"jobs": [{"encoding": "mae", "sweep": [1]}]})") ==
          "m.json: jobs[0].sweep: must be an object, {\"d\": [64, 128]}");
}

TEST_CASE("manifest: jobs share their settings, whose sum over all jobs is limited") {
    const auto manifest = [](std::size_t jobs, std::size_t bytes) {
        std::string values = "1";
        for (std::size_t i = 2; i <= jobs; ++i) values += fmt::format(",{}", i);
        return fmt::format(
            R"({{"jobs": [{{"encoding": "mae", "title": "{}", "sweep": {{"d": [{}]}}}}]}})",
            std::string(bytes, 'x'), values);
    };
    const Manifest large = parse_manifest(manifest(10'000, 100'000), "m.json");
    REQUIRE(large.size == 10'000);
    CHECK(large.job(0).settings[0] == large.job(9'999).settings[0]);
    CHECK(shown(large.job(9'999)).ends_with(" d=10000"));
    CHECK(refusal_of(manifest(10'000, 110'000)) ==
          "m.json: jobs[0]: the values of all jobs up to here are longer than 2^30 bytes together; "
          "sweep over less");
    const std::string half = manifest(5'000, 110'000);
    const std::string job = half.substr(10, half.size() - 12);
    CHECK(refusal_of("{\"jobs\": [" + job + "]}") == "accepted");
    CHECK(refusal_of("{\"jobs\": [" + job + "," + job + "]}")
              .starts_with("m.json: jobs[1]: the val"));
}

TEST_CASE("manifest: a short text cannot ask for too much") {
    std::string list = "1";
    for (int i = 0; i < 999; ++i) list += ",1";
    CHECK(
        refusal_of(fmt::format(
            R"({{"jobs": [{{"encoding": "mae", "sweep": {{"d": [{0}], "len": [{0}], "base": [{0}]}}}}]}})",
            list)) == "m.json: jobs[0]: sweeps over more than 1000000 jobs");
    const std::string million =
        fmt::format(R"({{"encoding": "mae", "sweep": {{"d": [{0}], "len": [{0}]}}}})", list);
    CHECK(refusal_of("{\"jobs\": [" + million + "]}") == "accepted");
    CHECK(refusal_of("{\"jobs\": [" + million + ", {\"encoding\": \"mae\"}]}") ==
          "m.json: jobs[1]: more than 1000000 jobs");
    std::string keys;
    for (int i = 0; i < 1001; ++i) keys += fmt::format("{}\"k{}\": 1", i > 0 ? "," : "", i);
    CHECK(refusal_of(fmt::format(R"({{"jobs": [{{{}}}]}})", keys)) ==
          "m.json: jobs[0]: more than 1000 keys");
}

TEST_CASE("manifest: a sample draws what anybody can draw again") {
    // hashlib.sha256(b"7/0/value/0"), with the fractions and formulas of varied_values.h, in
    // Python.
    const std::string_view sample = R"({"count": 4, "seed": 7})";
    CHECK(drawn(R"({"uniform": [0, 1]})", sample) ==
          "0.4288980681771707 0.017091638610043813 0.21523106371891132 0.6916543186046106");
    CHECK(drawn(R"({"uniform": [-1e6, 0.5]})", sample) ==
          "-571101.7173737952 -982908.3528441369 -784768.8286655569 -308345.33556823013");
    CHECK(drawn(R"({"loguniform": [1e2, 1e6]})", sample) ==
          "5195.0803945434845 117.0486891836428 725.9793286327279 58427.496008854614");
    CHECK(drawn(R"({"normal": [1, 0.5]})", sample) ==
          "1.0167394573528867 -0.2594813498669688 0.5274191761603487 0.8863939836294444");
    CHECK(drawn(R"({"integers": [-3, 9007199254740992]})", sample) ==
          "3863170360045261 153947794550686 1938629076726086 6229868263073836");
    CHECK(drawn(R"({"logintegers": [16, 4096]})", sample) == "172 17 52 741");
    CHECK(drawn(R"({"choice": ["a", 2, true]})", sample) == "2 a a true");
    CHECK(drawn(R"({"choice": {"from": 8, "to": 64, "step": 8}})", sample) == "32 8 16 48");
    CHECK(drawn(R"({"integers": [5, 5]})", "3") == "5 5 5");
}

TEST_CASE("manifest: a value of a sample depends on its seed, place, name and number alone") {
    const auto values = [](std::string_view jobs) {
        const Manifest manifest =
            parse_manifest(fmt::format(R"({{"jobs": [{}]}})", jobs), "m.json");
        std::vector<std::string> all;
        for (std::size_t i = 0; i < manifest.size; ++i) {
            const Job job = manifest.job(i);
            for (const Setting* setting : job.settings) {
                if (setting->key == "base") all.push_back(setting->value.text);
            }
        }
        return all;
    };
    const std::string base = R"("base": {"uniform": [1, 2]})";
    const auto alone = values(R"({"encoding": "x", )" + base + R"(, "sample": 3})");
    REQUIRE(alone.size() == 3);
    const auto others =
        values(R"({"encoding": {"choice": ["x", "y"]}, "d": {"integers": [1, 9]}, )" + base +
               R"(, "sample": {"count": 3, "seed": 0}})");
    CHECK(others == alone);
    const auto swept =
        values(R"({"encoding": "x", "sweep": {"d": [2, 4]}, )" + base + R"(, "sample": 3})");
    CHECK(swept == std::vector{alone[0], alone[1], alone[2], alone[0], alone[1], alone[2]});
    // The place in the list counts, and seeds do.
    const auto second =
        values(R"({"encoding": "x"}, {"encoding": "x", )" + base + R"(, "sample": 3})");
    const auto seeded =
        values(R"({"encoding": "x", )" + base + R"(, "sample": {"count": 3, "seed": 1}})");
    CHECK(second != seeded);
    CHECK(seeded != alone);
    CHECK(second != alone);
}

TEST_CASE("manifest: samples are jobs, and may draw encodings and labels") {
    const Manifest manifest = parse_manifest(
        R"({"jobs": [{"encoding": {"choice": ["mae"]}, "labels": {"fold": {"integers": [3, 3]}},
                      "sweep": {"d": [8, 16]}, "sample": 2}]})",
        "m.json");
    REQUIRE(manifest.size == 4);
    const Job job = manifest.job(2);
    CHECK(shown(job) == "mae d=16");
    CHECK(job.sample == 0);
    CHECK(job.place == "jobs[0] with d 16, sample 0");
    REQUIRE(job.labels.size() == 1);
    CHECK(job.labels[0]->value.text == "3");
}

TEST_CASE("manifest: a distribution in the defaults is for samples that do not set the option") {
    const Manifest manifest = parse_manifest(
        R"({"defaults": {"base": {"integers": [7, 7]}, "labels": {"fold": {"integers": [3, 3]}}},
            "jobs": [{"encoding": "x", "sample": 2},
                     {"encoding": "x", "base": 9, "labels": {"fold": 1}, "sample": 2,
                      "d": {"integers": [4, 4]}},
                     {"encoding": "x"}]})",
        "m.json");
    REQUIRE(manifest.size == 5);
    const auto defaults = [&](std::size_t number) {
        std::string text;
        const Job job = manifest.job(number);
        for (const Setting* s : job.defaults) text += fmt::format(" {}={}", s->key, s->value.text);
        return text;
    };
    const auto label = [&](std::size_t number) {
        const Job job = manifest.job(number);
        return job.labels.empty() ? "" : job.labels[0]->value.text;
    };
    CHECK(shown(manifest.job(0)) == "x");
    CHECK(defaults(0) == " base=7");
    CHECK(label(0) == "3");
    CHECK(shown(manifest.job(2)) == "x base=9 d=4");
    CHECK(defaults(2) == "");
    CHECK(label(2) == "1");
    CHECK(defaults(4) == "");
    CHECK(label(4) == "");
}

TEST_CASE("manifest: the samples of random flaws have a seed each") {
    const auto seeds = [](const std::string& job, const std::string& defaults = "") {
        const Manifest manifest = parse_manifest(
            fmt::format(R"({{{} "jobs": [{{"encoding": "x", "sample": 9, {}}}]}})", defaults, job),
            "m.json");
        std::set<std::string> all;
        for (std::size_t i = 0; i < manifest.size; ++i) {
            const Job one = manifest.job(i);
            for (const Setting* s : one.defaults) {
                if (s->key == "corruption-seed") all.insert(s->value.text);
            }
        }
        return all.size();
    };
    CHECK(seeds(R"("noise": 0.1)") == 9);
    CHECK(seeds(R"("dropout": {"uniform": [0, 0.5]})") == 9);
    CHECK(seeds(R"("sweep": {"shuffle": ["rows"]})") == 9);
    CHECK(seeds(R"("d": {"integers": [1, 2]})", R"("defaults": {"noise": 1},)") == 9);
    CHECK(seeds(R"("d": {"integers": [1, 2]})") == 0);
    CHECK(seeds(R"("noise": {"uniform": [0, 1]}, "corruption-seed": 3)") == 0);
    CHECK(seeds(R"("noise": {"uniform": [0, 1]})", R"("defaults": {"corruption_seed": 3},)") == 0);
}

TEST_CASE("manifest: a sample that makes no sense is refused with its place") {
    CHECK(drawn("3", "2") ==
          "m.json: jobs[0].sample: nothing is drawn; give an option a distribution, "
          "{\"loguniform\": [100, 1e6]}");
    CHECK(refusal_of(R"({"jobs": [{"encoding": "x", "d": {"integers": [1, 2]}}]})") ==
          "m.json: jobs[0]: d: a distribution needs \"sample\": the number of jobs to draw");
    CHECK(refusal_of(R"({"defaults": {"sample": 2}, "jobs": []})") ==
          "m.json: defaults: sample: is of a job");
    CHECK(drawn(R"({"beta": [1, 2]})", "2") ==
          "m.json: jobs[0].value: must be a value, or a distribution: one of uniform, loguniform, "
          "normal, integers, logintegers, choice, as in {\"loguniform\": [100, 1e6]}");
    const std::string integers = R"({"integers": [1, 2]})";
    for (const char* count : {"0", "-1", "1.5", "1000001", "\"2\"", R"({"count": 0})"}) {
        CAPTURE(count);
        CHECK(drawn(integers, count).ends_with("must be a number of jobs, from 1 to a million"));
    }
    CHECK(drawn(integers, R"({"seed": 2})") ==
          "m.json: jobs[0].sample: needs \"count\": the number of jobs");
    CHECK(drawn(integers, R"({"count": 2, "sed": 2})") ==
          "m.json: jobs[0].sample.sed: unknown key; did you mean 'seed'?");
    CHECK(drawn(R"({"uniform": [2, 1]})", "2") ==
          "m.json: jobs[0].value.uniform: must end above its beginning: [low, high]");
    CHECK(drawn(R"({"loguniform": [0, 1]})", "2") ==
          "m.json: jobs[0].value.loguniform: must begin above 0");
    CHECK(drawn(R"({"normal": [0, 0]})", "2") ==
          "m.json: jobs[0].value.normal[1]: must be above 0: it is the standard deviation");
    CHECK(drawn(R"({"integers": [0, 1.5]})", "2") ==
          "m.json: jobs[0].value.integers[1]: must be a whole number from -2^53 to 2^53");
    CHECK(drawn(R"({"uniform": [1]})", "2") ==
          "m.json: jobs[0].value.uniform: must be [low, high]");
    CHECK(drawn(R"({"choice": []})", "2") ==
          "m.json: jobs[0].value.choice: needs at least one value");
    CHECK(refusal_of(R"({"jobs": [{"encoding": "x", "d": {"integers": [1, 2]}, "sample": 2,
                                   "sweep": {"d": [3]}}]})") ==
          "m.json: jobs[0].sweep.d: is there twice, in the sweep and outside of it");
    CHECK(refusal_of(R"({"jobs": [{"encoding": "x", "d": {"integers": [1, 2]}, "sample": 1000,
                                   "sweep": {"e": {"from": 0, "to": 1000}}}]})") ==
          "m.json: jobs[0]: sweeps over more than 1000000 jobs");
}

TEST_CASE("manifest: a job may be the command line that one would type") {
    const Manifest manifest = parse_manifest(
        "\n# tables\npe-gen sinusoid --d_model 8 --reverse -o 'a b.npy'  # the first\n\n"
        "plot mine.npy \\\n  -o \"it's.png\"\n"
        "concat --csv c\\ d.csv -- index --len 3 -- binary --bits 2\n"
        "index --npy $'a\\011b\\n.npy'",
        "jobs.txt");
    REQUIRE(manifest.size == 4);
    CHECK(shown(manifest.job(3)) == "index npy=a\tb\\n.npy");
    CHECK(shown(manifest.job(0)) == "sinusoid d=8 reverse=true output=a b.npy");
    CHECK(manifest.job(0).place == "line 3");
    CHECK(shown(manifest.job(1)) == "plot output=it's.png npy-in=mine.npy");
    CHECK(manifest.job(1).place == "line 5");
    CHECK(shown(manifest.job(2)) == "concat csv=c d.csv parts=index --len=3; binary --bits=2");
    const Manifest json = parse_manifest(
        R"({"defaults": {"dtype": "float64"}, // of all
            "jobs": ["index --len 3 --csv a.csv", /* and */ {"encoding": "index", "csv": "b"}]})",
        "m.json");
    CHECK(shown(json.job(0)) == "index len=3 csv=a.csv");
    CHECK(json.job(0).place == "jobs[0]");
}

TEST_CASE("manifest: a command line that is none is refused with its line") {
    const auto refusal = [](std::string_view text) {
        try {
            parse_manifest(text, "jobs.txt");
        } catch (const FormatError& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    CHECK(refusal("index --csv a\nsinusiod --d 8\n") ==
          "jobs.txt: line 2: 'sinusiod': no such encoding, preset or command; did you mean "
          "'sinusoid'?");
    CHECK(refusal("index --lne 8") ==
          "jobs.txt: line 1: --lne: unknown option; did you mean '--len'?");
    CHECK(refusal("\nindex --csv 'a\n") == "jobs.txt: line 2: a quotation mark, ', is missing");
    CHECK(refusal("index > a.csv") ==
          "jobs.txt: line 1: unexpected argument '>'; options begin with --");
    CHECK(refusal("index --threads 2") ==
          "jobs.txt: line 1: --threads: is of a command of its own; leave it out");
    CHECK(refusal("pe-gen") ==
          "jobs.txt: line 1: is empty; it needs a command, as in sinusoid --d 8 -o a.npy");
    CHECK(refusal("info a.npy").starts_with("jobs.txt: line 1: 'info': is a command"));
    CHECK(refusal_of(R"({"jobs": ["index --csv a\nindex --csv b"]})") ==
          "m.json: jobs[0]: has more than one line; each job is a text of its own");
    CHECK(refusal_of(R"({"jobs": [{"encoding": ["mae", "jepa"]}]})") ==
          "m.json: jobs[0].encoding: is a list; \"sweep\": {\"encoding\": [...]} makes a job for "
          "each");
}
