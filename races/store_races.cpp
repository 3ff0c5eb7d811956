// store_races DIR: finds every specimen and writes DIR/ID.race. For developers, when a change of
// the programs or the machine under test has made the stored files diverge.
#include <cstdio>
#include <exception>
#include <string>

#include "races/lookup.hpp"
#include "races/search.hpp"

namespace racewheel::races {
namespace {

int store_all(const std::string& folder) {
  int missing = 0;
  specimens::for_each([&]<class S>() {
    const std::string id(S::facts.id);
    const specimen_search found = find_specimen(id);
    if (found.result.verdict != explore::verdict::violation) {
      std::fprintf(stderr, "store_races: %s was not found\n", id.c_str());
      ++missing;
      return;
    }
    save(race_of(found.what, found.options, found.result.finding), folder + "/" + id + ".race");
  });
  return missing == 0 ? 0 : 1;
}

}  // namespace
}  // namespace racewheel::races

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "store_races: %d arguments; expected one, the folder\n", argc - 1);
    return 2;
  }
  try {
    return racewheel::races::store_all(argv[1]);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "store_races: %s\n", e.what());
    return 2;
  }
}
