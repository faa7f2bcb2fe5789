#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/batch.h"
#include "cli/batch/manifest_schema.h"
#include "cli/json_schema.h"
#include "core/names.h"
#include "encodings/registry.h"

using namespace pegen;
using namespace pegen::testing;
using pegen::cli::manifest_schema;

namespace {

using Json = nlohmann::json;

const Json& schema() {
    static const Json schema = Json::parse(manifest_schema());
    return schema;
}

/// A manifest, and whether it is valid.
struct Case {
    std::string manifest;
    bool is_fine;
};

Case job(const std::string& settings, bool is_fine) {
    return {R"({"jobs": [{)" + settings + "}]}", is_fine};
}

/// A sinusoid, written to a.png.
Case picture(const std::string& settings, bool is_fine) {
    return job(R"("encoding": "sinusoid", "d": 4, "len": 3, "png": "a.png", )" + settings, is_fine);
}

/// Samples of a sinusoid.
Case sample(const std::string& settings, bool is_fine) {
    return job(R"("encoding": "sinusoid", "d": 4, "len": 3, "npy": "{sample}.npy", )" + settings,
               is_fine);
}

Case sweep(const std::string& range, bool is_fine) {
    return job(R"("encoding": "sinusoid", "d": 4, "npy": "{start}.npy", "sweep": {"start": )" +
                   range + "}",
               is_fine);
}

const std::vector<Case> cases{
    job(R"("encoding": "sinusoid", "d": 4, "npy": "a.npy")", true),
    job(R"("npy": "a.npy")", false),
    job(R"("preset": "bert", "npy": "a.npy")", false),
    job(R"("encoding": "bert", "npy": "a.npy")", true),
    job(R"("encoding": "hf_marian", "d": 4, "len": 3, "npy": "a.npy")", true),
    job(R"("encoding": "Bert", "npy": "a.npy")", false),
    job(R"("encoding": 3, "npy": "a.npy")", false),
    job(R"("encoding": "attention shaw", "npy": "a.npy")", true),
    job(R"("encoding": "sinusoid", "d": 4)", false),
    job(R"("encoding": "sinusoid", "d": 4, "show": true)", false),
    job(R"("encoding": "sinusoid", "d": 4, "output": "a.npy")", true),
    job(R"("encoding": "sinusoid", "d": 4, "output": "a.npy")", true),
    job(R"("encoding": "sinusoid", "d": 4, "o": "a.npy")", false),
    job(R"("encoding": "sinusoid", "d": 4, "npy": true)", false),
    job(R"("encoding": "sinusoid", "d": 4, "npy": "")", false),
    job(R"("encoding": "sinusoid", "d": 4, "sweep": {"npy": ["a.npy", "b.npy"]})", true),
    job(R"("npy": "{encoding}.npy", "sweep": {"encoding": ["mae", "index"]})", true),
    job(R"("npy": "{encoding}.npy", "sweep": {"encoding": ["mae", "indx"]})", false),
    job(R"("npy": "{encoding}.npy", "sweep": {"encoding": "mae"})", false),
    {R"({"jobs": ["sinusoid --d 4 -o a.npy"]})", true},
    {R"({"jobs": [""]})", false},
    sample(R"("base": {"loguniform": [100, 1e6]}, "sample": 3)", true),
    sample(R"("base": {"choice": {"from": 1, "to": 4}}, "sample": {"count": 3, "seed": 2})", true),
    sample(R"("base": {"loguniform": [100]}, "sample": 3)", false),
    sample(R"("base": {"gamma": [100, 1e6]}, "sample": 3)", false),
    sample(R"("base": {"loguniform": [100, 1e6], "normal": [1, 2]}, "sample": 3)", false),
    sample(R"("base": {"loguniform": [100, 1e6]}, "sample": 0)", false),
    sample(R"("base": {"loguniform": [100, 1e6]}, "sample": {"seed": 1})", false),
    sample(R"("labels": {"split": {"choice": ["a", "b"]}}, "sample": 3)", true),
    job(R"("encoding": {"choice": ["mae", "index"]}, "npy": "{sample}.npy", "sample": 3)", true),
    job(R"("encoding": {"choice": ["mae", "indx"]}, "npy": "{sample}.npy", "sample": 3)", false),
    {R"({"defaults": {"base": {"uniform": [1, 2]}}, "jobs": []})", true},
    {R"({"defaults": {"base": {"uniform": [1]}}, "jobs": []})", false},
    picture(R"("show-size": "10x8")", false),
    picture(R"("quiet": true)", false),
    picture(R"("figszie": "5x4")", false),
    picture(R"("figsize": "5x4")", true),
    picture(R"("figsize": "5.5x.5e1")", true),
    picture(R"("figsize": "...x...")", false),
    picture(R"("figsize": "5x4x3")", false),
    picture(R"("figsize": 5)", false),
    picture(R"("cmap": "viridis-r")", true),
    picture(R"("cmap": "viridis_r")", true),
    picture(R"("cmap": "Viridis")", false),
    picture(R"("cmap": "viridis r")", false),
    picture(R"("start": "3")", true),
    picture(R"("start": "3.")", true),
    picture(R"("start": "3x")", false),
    picture(R"("D": 4)", false),
    picture(R"("reverse": true)", true),
    picture(R"("reverse": "true")", true),
    picture(R"("reverse": "yes")", false),
    picture(R"("reverse": 1)", false),
    picture(R"("zero-row": "none")", true),
    picture(R"("zero_row": 1)", true),
    picture(R"("zero row": 1)", false),
    picture(R"("zero-row": "1")", true),
    picture(R"("zero-row": "1.5")", false),
    picture(R"("zero-row": 1.5)", false),
    picture(R"("prefix_rows": 2)", true),
    picture(R"("prefix-rows": -2)", false),
    picture(R"("prefix-rows": "none")", false),
    picture(R"("odd": "zero-pad")", true),
    picture(R"("odd": "zero_pad")", true),
    picture(R"("odd": true)", false),
    picture(R"("title": 3)", true),
    picture(R"("title": true)", true),
    picture(R"("title": ["a", 1])", true),
    picture(R"("title": [])", false),
    picture(R"("title": {})", false),
    picture(R"("title": null)", false),
    picture(R"("labels": {"split": "train", "n": 1, "x": true})", true),
    picture(R"("labels": {"split": ["train"]})", false),
    picture(R"("labels": {"a:b": 1})", false),
    picture(R"("labels": 3)", false),
    job(R"("encoding": "sinusoid", "d": 4, "len": "3", "npy": "a.npy")", true),
    job(R"("encoding": "sinusoid", "d": 4, "len": "03", "npy": "a.npy")", false),
    job(R"("encoding": "sinusoid", "d": 4, "len": "1e3", "npy": "a.npy")", false),
    job(R"("encoding": "sinusoid", "d": 4, "len": -1, "npy": "a.npy")", false),
    job(R"("encoding": "sinusoid", "d_model": 4, "max_len": 3.0, "npy": "a.npy")", true),
    job(R"("encoding": "index", "positions": [1, 2.5, "3"], "npy": "a.npy")", true),
    job(R"("encoding": "index", "positions": "1,2.5", "npy": "a.npy")", true),
    job(R"("encoding": "index", "positions": "0:3,0:-5:-1,9", "npy": "a.npy")", true),
    job(R"("encoding": "index", "positions": "0:3,:4", "npy": "a.npy")", false),
    job(R"("encoding": "index", "positions": ["0:3", 7], "npy": "a.npy")", true),
    job(R"("encoding": "index", "positions": 4, "npy": "a.npy")", true),
    job(R"("encoding": "index", "positions": "1,,2", "npy": "a.npy")", false),
    job(R"("encoding": "index", "positions": [], "npy": "a.npy")", false),
    sweep("[0, 1, \"2\"]", true),
    sweep("[]", false),
    sweep("3", false),
    sweep(R"("0..3")", false),
    sweep(R"({"from": 0, "to": 3})", true),
    sweep(R"({"from": 0, "to": 1, "step": 0.25})", true),
    sweep(R"({"from": 0})", false),
    sweep(R"({"from": "0", "to": 3})", false),
    sweep(R"({"from": 0, "to": 3, "by": 1})", false),
    sweep(R"({"linspace": [0, 1, 5]})", true),
    sweep(R"({"logspace": [0, 1, 5]})", true),
    sweep(R"({"geomspace": [1, 2, 5]})", true),
    sweep(R"({"geomspace": [1, 2]})", false),
    sweep(R"({"geomspace": [1, 2, 0]})", false),
    sweep(R"({"geomspace": [1, 2, 1000001]})", false),
    sweep(R"({"range": [1, 2, 3]})", false),
    job(R"("encoding": "index", "len": 2, "npy": "{f}.npy", "sweep": {"labels": {"f": [1, 2]}})",
        true),
    job(R"("encoding": "index", "len": 2, "npy": "{f}.npy", "sweep": {"labels": {"f": [1]}})",
        true),
    job(R"("encoding": "index", "len": 2, "npy": "{f}.npy", "sweep": {"labels": {"f": []}})",
        false),
    job(R"("encoding": "index", "len": 2, "npy": "a.npy", "sweep": {"labels": {"f": 1}})", false),
    job(R"("encoding": "index", "sweep": {"npy": {"from": 1, "to": 2}})", false),
    {R"({"defaults": {"figszie": "5x4"}, "jobs": [{"encoding": "index", "npy": "a"}]})", false},
    {R"({"defaults": {"fig_size": "5x4"}, "jobs": [{"encoding": "index", "npy": "a"}]})", false},
    {R"({"defaults": {"show": true}, "jobs": [{"encoding": "index", "npy": "a"}]})", false},
    {R"({"defaults": {"colorbar_label": "5x4"}, "jobs": [{"encoding": "index", "npy": "a"}]})",
     true},
    {R"({"defaults": {"encoding": "index"}, "jobs": [{"npy": "a", "len": 3}]})", true},
    {R"({"defaults": {"encoding": "index", "npy": "{len}"}, "jobs": [{"len": 3}]})", true},
    {R"({"defaults": {"sweep": {}}, "jobs": [{"encoding": "index", "npy": "a"}]})", false},
    {R"({"defaults": {"labels": {"a": 1}}, "jobs": [{"encoding": "index", "npy": "a"}]})", true},
    {R"({"jobs": []})", true},
    {R"({"jobs": {}})", false},
    {R"({"jobs": [3]})", false},
    {R"({"job": []})", false},
    {R"({"mkdir": true, "index": "i.jsonl", "jobs": []})", true},
    {R"({"mkdir": "true", "jobs": []})", false},
    {R"({"index": "", "jobs": []})", false},
    {R"({"index": true, "jobs": []})", false},
    {R"([])", false},
};

}  // namespace

TEST_CASE("manifest schema: it and the program agree on what a manifest is") {
    for (const Case& example : cases) {
        CAPTURE(example.manifest);
        CHECK(satisfies(Json::parse(example.manifest), schema(), schema()) == example.is_fine);
        const ProgramRun run = Batch(example.manifest).run("--dry-run");
        CAPTURE(run.errors);
        CHECK(run.status == (example.is_fine ? 0 : 3));
    }
}

TEST_CASE("manifest schema: the manifest of the docs is one") {
    const Json manifest =
        Json::parse(content(std::string(PEGEN_SOURCE_DIR) + "/docs/figures.json"));
    CHECK(satisfies(manifest, schema(), schema()));
}

TEST_CASE("manifest schema: allows every choice, default and end of a range, and no other word") {
    const Json& conditions = schema()["properties"]["jobs"]["items"]["anyOf"][1]["allOf"];
    std::vector<const Encoding*> all(all_encodings().begin(), all_encodings().end());
    all.insert(all.end(), all_mechanisms().begin(), all_mechanisms().end());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Json& options = conditions[i]["then"]["properties"];
        for (const ParameterSpec& spec : all[i]->parameters) {
            const auto allows = [&](const Json& value) {
                return satisfies(value, options[std::string(spec.name)], schema());
            };
            CAPTURE(all[i]->name);
            CAPTURE(spec.name);
            for (const std::string_view choice : words(spec.choices)) CHECK(allows(choice));
            if (!spec.default_value.empty()) CHECK(allows(spec.default_value));
            const bool is_integer = spec.type == ParameterType::integer;
            for (const double end : {spec.range.lowest, spec.range.highest}) {
                if (!std::isfinite(end) || (!is_integer && spec.type != ParameterType::real))
                    continue;
                const bool is_allowed = end == spec.range.highest || !spec.range.lowest_is_open;
                CHECK(allows(is_integer ? Json(static_cast<std::int64_t>(end)) : Json(end)) ==
                      is_allowed);
            }
            const bool is_free =
                spec.type == ParameterType::text || spec.type == ParameterType::path;
            CHECK(allows("no such word") == is_free);
        }
    }
}

TEST_CASE("manifest schema: names every encoding and every option once") {
    const ProgramRun run = run_program("batch --schema");
    CHECK(run.status == 0);
    CHECK(run.output == manifest_schema());
    const Json& conditions = schema()["properties"]["jobs"]["items"]["anyOf"][1]["allOf"];
    std::vector<const Encoding*> all(all_encodings().begin(), all_encodings().end());
    all.insert(all.end(), all_mechanisms().begin(), all_mechanisms().end());
    all.insert(all.end(), {&array_of_file(), &concatenation()});
    REQUIRE(conditions.size() == all.size() + 1);  // the last is for jobs without encoding
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Encoding& encoding = *all[i];
        const Json& names = conditions[i]["if"]["properties"]["encoding"]["anyOf"][0]["enum"];
        CHECK(names[0] == encoding.name);
        const Json& options = conditions[i]["then"]["properties"];
        for (const ParameterSpec& spec : encoding.parameters) {
            CHECK(options.contains(std::string(spec.name)));
            CHECK(options["sweep"]["properties"].contains(std::string(spec.name)));
        }
        for (const char* option : {"npy", "png", "cmap", "output"}) {
            CHECK(options[option]["$ref"] == fmt::format("#/definitions/job-{}", option));
            CHECK(schema()["definitions"].contains(option));
        }
        for (const char* option : {"help", "show", "show-size"}) {
            CHECK_FALSE(options.contains(option));
        }
    }
}
