#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "cli/folder.h"

using pegen::testing::Folder;
using Json = nlohmann::json;

namespace {

constexpr const char* before = "learned --len 12 --d 32 --npy x.npy";
constexpr const char* question = "identify --before x.npy --after y.npy";

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != text.npos;
}

}  // namespace

TEST_CASE("identify --before --after: the command that it prints makes the array") {
    const Folder folder;
    folder.make(before);
    for (const char* settings :
         {"--base 500000 --start 3", "--pairing interleaved --rotary-dim 16", "--inverse",
          "--scaling linear --factor 4", "--positions 3,4,5,9,10,11,12,13,14,15,16,17"}) {
        CAPTURE(settings);
        folder.make("apply rope --x x.npy --npy y.npy " + std::string(settings));
        const Json json = Json::parse(folder.make(std::string(question) + " --json"));
        CHECK(json["schema"] == "pe-gen/identify-kernel/1");
        CHECK(json["verdict"] == "identified");
        CHECK(json["agreement"]["level"] == "rounding");
        std::string command;
        for (std::size_t i = 1; i < json["command"].size(); ++i) {
            command += json["command"][i].get<std::string>() + " ";
        }
        folder.make(command + "--npy z.npy");
        CHECK(folder.run("diff y.npy z.npy").status == 0);
    }
}

TEST_CASE("identify --before --after: --json describes the rotation") {
    const Folder folder;
    folder.make("learned --len 12 --d 8 --npy x.npy");
    for (const bool is_inverse : {false, true}) {
        folder.make(
            std::string("apply rope --x x.npy --npy y.npy --start 3 --rotary-dim 6 --base 1e6") +
            (is_inverse ? " --inverse" : ""));
        const Json json = Json::parse(folder.make(std::string(question) + " --json"));
        const Json expected{{"pairing", "half"},
                            {"layout", "half"},
                            {"order", "as stored"},
                            {"minus", true},
                            {"cosines", true},
                            {"sines", true},
                            {"exchanged", false},
                            {"direction", is_inverse ? -1 : 1},
                            {"first_channel", 0},
                            {"rotary_dim", 6},
                            {"factor", 1},
                            {"start", 3},
                            {"step", 1},
                            {"positions", nullptr},
                            {"frequencies", {1, 0.01, 0.0001}},
                            {"frequency_dtype", nullptr},
                            {"angle_dtype", nullptr},
                            {"table_dtype", nullptr}};
        CHECK(json["rotary"] == expected);
    }
}

TEST_CASE("identify --before --after: rotations along any axis, and of heads in one axis") {
    const Folder folder;
    folder.make("grid --view grid --height 12 --width 2 --d 32 --npy x.npy");
    folder.make("apply rope --x x.npy --position-axis 0 --npy y.npy");
    CHECK(contains(folder.make(question), "--position-axis 0\n"));
    folder.make("learned --len 12 --d 64 --npy x.npy");
    folder.make("apply rope --x x.npy --heads 2 --npy y.npy");
    CHECK(contains(folder.make(std::string(question) + " --heads 2"), "--heads 2\n"));
    CHECK(contains(folder.run(std::string(question) + " --position-axis 1").errors,
                   "--position-axis 1: x.npy has shape (12, 64)"));
}

TEST_CASE("apply rope: --heads rotates each head of the last axis, --position-axis any axis") {
    const Folder folder;
    folder.make("learned --len 12 --d 64 --npy x.npy");
    folder.make("apply rope --x x.npy --heads 2 --npy y.npy");
    folder.make("apply rope --x y.npy --heads 2 --inverse --npy back.npy");
    CHECK(folder.run("diff back.npy x.npy --atol 3e-7").status == 0);
    CHECK(contains(folder.refusal("apply rope --x x.npy --heads 5"), "--heads 5: must divide 64"));
    CHECK(contains(folder.refusal("apply rope --x x.npy --position-axis 1"),
                   "the last axis is that of the channels"));
    folder.make("apply rope --x x.npy --position-axis -2 --npy a.npy");
    folder.make("apply rope --x x.npy --npy b.npy");
    CHECK(folder.run("diff a.npy b.npy").status == 0);
}

TEST_CASE("identify --before --after: the text has a line for each part of the answer") {
    const Folder folder;
    folder.make(before);
    folder.make("apply rope --x x.npy --start 1 --npy y.npy");
    CHECK(folder.make(question) ==
          "verdict     identified\n"
          "kernel      rotates channels m and m + 16, 32 of 32\n"
          "command     pe-gen apply rope --x x.npy --start 1\n"
          "agreement   every value is the same\n"
          "note        Positions start at 1.\n");
    CHECK(folder.run("identify --before x.npy --after x.npy").status == 1);
}

TEST_CASE("identify --before --after: refuses what cannot be compared, and says the remedy") {
    const Folder folder;
    folder.make(before);
    folder.make("learned --len 13 --d 32 --npy y.npy");
    CHECK(contains(folder.refusal(question), "has shape (12, 32), the one after (13, 32)"));
    CHECK(contains(folder.refusal("identify --before x.npy"),
                   "--before: needs --after, too, as in pe-gen identify"));
    CHECK(contains(folder.refusal("identify --after x.npy"), "--after: needs --before"));
    CHECK(contains(folder.refusal("identify --before x.npy --after x.npy z.npy"),
                   "unexpected argument 'z.npy'"));
    CHECK(contains(folder.refusal("identify --before x.npy --after x.npy --heads 5"),
                   "--heads 5: must divide 32"));
    CHECK(contains(folder.refusal("identify --before - --after -"),
                   "standard input can be only one of them"));
}

TEST_CASE("identify --permuted: says the pairings, the heads and the rotated channels") {
    const Folder folder;
    folder.make("learned --len 128 --d 24 --npy w.npy");
    for (const char* order :
         {"--from half --to interleaved --heads 4", "--from interleaved --to half --heads 8",
          "--from half --to interleaved --heads 2 --rotary-dim 16",
          "--from interleaved --to half --heads 3 --axis 1"}) {
        folder.make("apply rope-permute --x w.npy --npy p.npy " + std::string(order));
        CHECK(folder.make("identify --permuted p.npy --of w.npy")
                  .find("pe-gen apply rope-permute " + std::string(order) + " --x w.npy\n") !=
              std::string::npos);
    }
    const Json json = Json::parse(folder.make("identify --permuted p.npy --of w.npy --json"));
    CHECK(json["schema"] == "pe-gen/identify-permuted/1");
    CHECK(json["heads"] == 3);
    CHECK(json["axis"] == 1);
    CHECK(contains(folder.make("identify --permuted w.npy --of w.npy"), "nothing is permuted"));
}

TEST_CASE("identify --permuted: another order and other values are told apart") {
    const Folder folder;
    folder.make("learned --len 6 --d 4 --seed 1 --npy a.npy");
    folder.make("learned --len 6 --d 4 --seed 2 --npy b.npy");
    const auto other = folder.run("identify --permuted a.npy --of b.npy");
    CHECK(other.status == 1);
    CHECK(contains(other.output, "6 of 6 rows are not those of the original"));
    folder.make("sinusoid --len 6 --d 4 --npy up.npy");
    folder.make("sinusoid --len 6 --d 4 --reverse --npy down.npy");
    const auto reversed = folder.run("identify --permuted down.npy --of up.npy");
    CHECK(reversed.status == 1);
    CHECK(contains(reversed.output, "the same in another order"));
    CHECK(contains(folder.refusal("identify --permuted a.npy"), "--permuted: needs --of, too"));
    folder.make("learned --len 7 --d 4 --npy c.npy");
    CHECK(contains(folder.refusal("identify --permuted a.npy --of c.npy"), "has shape (6, 4)"));
}

TEST_CASE("identify --permuted: says of each kind of order what it is and what cannot be told") {
    struct Answer {
        const char *original, *permuted, *verdict, *kind;
        std::vector<std::string> notes;
    };
    const std::string no_pairing =
        " are the same in another order, which is no change of the pairing of any number of heads.";
    const std::vector<Answer> answers{
        {"1\n2\n3\n",
         "1\n2\n3\n",
         "identified",
         "same",
         {"The arrays are equal: nothing is permuted."}},
        {"1,2\n3,4\n5,6\n",
         "1,3,5\n2,4,6\n",
         "not identified",
         "same",
         {"The one array is the other transposed, and nothing else."}},
        {"1,2\n3,4\n5,6\n7,8\n",
         "1,5,3,7\n2,6,4,8\n",
         "not identified",
         "pairing",
         {"The rows of 1 head of 4 channels were put from the pairing half into interleaved.",
          "The permuted array is transposed besides: compare it with the original transposed."}},
        {"1\n2\n3\n4\n5\n6\n7\n8\n9\n",
         "1\n3\n2\n4\n5\n7\n6\n8\n9\n",
         "not identified",
         "part",
         {"The elements 0 to 7 of 2 heads of 4 channels were put from the pairing half into "
          "interleaved. The others are where they were, as in a fused projection of queries, keys "
          "and values: apply rope-permute to each part by itself."}},
        {"1,1,2,3\n4,4,5,6\n",
         "3,1,1,2\n6,4,4,5\n",
         "not identified",
         "other",
         {"The columns" + no_pairing, "2 columns equal others: their order cannot be told."}},
        {"1\n2\n3\n4\n",
         "1\n2\n7\n8\n",
         "not identified",
         "different",
         {"2 of 4 elements are not those of the original, from 2 on: values differ, not only their "
          "order."}},
        {"1\n1\n2\n2\n1\n1\n2\n2\n",
         "1\n2\n1\n2\n1\n2\n1\n2\n",
         "ambiguous",
         "pairing",
         {"The elements of 1 head of 8 channels were put from the pairing interleaved into half.",
          "8 elements equal others: their order cannot be told.",
          "Other numbers of heads give the same: 2."}},
    };
    const Folder folder;
    for (const Answer& answer : answers) {
        CAPTURE(answer.permuted);
        pegen::testing::put(folder.path("w.csv"), answer.original);
        pegen::testing::put(folder.path("p.csv"), answer.permuted);
        const auto run = folder.run("identify --permuted p.csv --of w.csv --json");
        const Json json = Json::parse(run.output);
        CHECK(run.status == (json["verdict"] == "not identified" ? 1 : 0));
        CHECK(json["verdict"] == answer.verdict);
        CHECK(json["kind"] == answer.kind);
        CHECK(json["notes"] == Json(answer.notes));
    }
}
