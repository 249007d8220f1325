/* SPDX-License-Identifier: MIT */
/* tb/support/own_folder.cpp - a test program works in a temporary folder of its own, removed at the end:
 * programs that run at once may give their files the same names. */
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace
{

namespace fs = std::filesystem;

struct own_folder {
    own_folder()
    {
        std::string pattern = fs::temp_directory_path() / ("walkway-test-" + std::string(6, 'X'));
        if (mkdtemp(pattern.data()) == nullptr)
            throw std::runtime_error("cannot create " + pattern);
        folder_ = pattern;
        fs::current_path(folder_);
    }
    ~own_folder()
    {
        std::error_code ignored; /* of a folder that is in use: what is in it was removed */
        fs::current_path(folder_.parent_path(), ignored);
        fs::remove_all(folder_, ignored);
    }
    own_folder(const own_folder &) = delete;
    own_folder &operator=(const own_folder &) = delete;

private:
    fs::path folder_;
};

} // namespace

BOOST_TEST_GLOBAL_FIXTURE(own_folder);
