// Include it where timer_program<Config> is to be instantiated.
#pragma once

#include <string>

#include "explore/programs/timer_programs.hpp"

namespace racewheel::explore {

template <class Config>
program timer_program(std::string_view name, const program_bounds& bounds) {
  program made;
  timer_programs::for_each([&]<class Program>() {
    if (Program::name != name) return;
    made = {std::string(name), [bounds] { Program::template run<Config>(bounds); }};
  });
  return made;
}

}  // namespace racewheel::explore
