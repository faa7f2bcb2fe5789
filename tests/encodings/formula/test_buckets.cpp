#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "encodings/npy_file.h"
#include "encodings/table_of.h"
#include "files/temporary_folder.h"

using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

using Values = std::vector<double>;

std::string failure(std::string_view command) {
    try {
        values_of(command);
        return "accepted";
    } catch (const pegen::UsageError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("buckets: each place has the row that the formula names") {
    const TemporaryFolder folder;
    put(folder.path("w.npy"), npy_of_doubles("(3, 2)", {1, -1, 2, -2, 3, -3}));
    const std::string weights = " --weights " + folder.path("w.npy");
    CHECK(values_of("buckets --value min(abs(q-k),2) --len 3") ==
          Values{0, 1, 2, 1, 0, 1, 2, 1, 0});
    CHECK(values_of("buckets --value min(abs(q-k),2) --len 2 --table bias" + weights) ==
          Values{1, 2, 2, 1, -1, -2, -2, -1});
    CHECK(values_of("buckets --value min(pos,2) --len 4 --table vectors" + weights) ==
          Values{1, -1, 2, -2, 3, -3, 3, -3});
    CHECK(values_of("buckets --value (xq+yk)%3 --image 2x1 --table vectors" + weights) ==
          Values{1, -1, 2, -2, 1, -1, 2, -2});
}

TEST_CASE("buckets: weights are drawn as PyTorch draws an embedding") {
    CHECK(values_of("buckets --value pos --buckets 5 --len 5 --d 4 --table vectors --seed 3") ==
          values_of("learned --len 5 --d 4 --init normal:0,0.02 --seed 3"));
}

TEST_CASE("buckets: rules with a name of their own have the same rows") {
    CHECK(
        values_of("buckets --value clip(q-k,-4,4)+4 --buckets 9 --len 12 --table bias --heads 2") ==
        values_of("buckets --value 4-clip(k-q,-4,4) --buckets 9 --len 12 --table bias --heads 2"));
    CHECK(values_of("buckets --value where(k-q>0,16,0)+where(abs(k-q)<8,abs(k-q),"
                    "min(15,8+floor(log(max(abs(k-q),1)/8)/log(16)*8))) --len 100") ==
          values_of("t5 --table bucket --len 100"));
}

TEST_CASE("buckets: rows of distances are those of each pair by itself") {
    for (const std::string options : {"index", "bias --heads 3", "vectors --d 5"}) {
        for (const std::string lengths :
             {" --len 6", " --len 3 --key-len 8", " --len 8 --key-len 3"}) {
            const std::string rest = lengths + " --buckets 7 --table " + options;
            CAPTURE(rest);
            // A formula with q by itself is evaluated for each pair.
            CHECK(values_of("buckets --value clip(q-k+3,0,6)" + rest) ==
                  values_of("buckets --value clip(q-k+3,0,6)+0*q" + rest));
        }
    }
}

TEST_CASE("buckets: a number that is no row is refused, with its place") {
    CHECK(failure("buckets --value q-k") ==
          "--value: 0-1 is -1; rows have the numbers 0 to 31; use clip, or another number of "
          "--buckets");
    CHECK(failure("buckets --value q --len 33 --key-len 1 --table bias") ==
          "--value: 32 is 32; rows have the numbers 0 to 31; use clip, or another number of "
          "--buckets");
    CHECK(failure("buckets --value q --len 32 --key-len 1 --table bias") == "accepted");
    CHECK(failure("buckets --value (q+k)/2") ==
          "--value: (0+1)/2 is 0.5, and the number of a row is whole; use floor, or pe-gen formula "
          "for the values themselves");
    CHECK(failure("buckets --value where(k>q,inf,0)") ==
          "--value: where(1>0,inf,0) is inf; rows have the numbers 0 to 31; use clip, or another "
          "number of --buckets");
}
