#include "races/spoiled_programs.hpp"

#include "core/hashed_wheel.hpp"
#include "explore/programs/push_pop_body.hpp"
#include "explore/programs/timer_programs.hpp"
#include "races/lookup.hpp"

namespace racewheel::races {

namespace {

/// Only the program of the plan: all of them for all recipes would take minutes to compile.
template <class S>
explore::program spoiled_timer(const explore::program_bounds& bounds) {
  using config = explore::explored_timer<wheel_kind<hashed_wheel>,
                                         backend<vyukov_queue, vyukov_recipe>, typename S::recipe>;
  explore::program made;
  explore::timer_programs::for_each([&]<class Program>() {
    if constexpr (Program::name == S::facts.find.program) {
      made = {std::string(Program::name), [bounds] { Program::template run<config>(bounds); }};
    }
  });
  return made;
}

template <class S>
explore::program spoiled_queue(const explore::program_bounds& b) {
  static_assert(S::facts.find.program == "push_pop");
  using backend_type = typename S::queue::template with_recipe<typename S::recipe>;
  return explore::push_pop<backend_type>({*b.producers, *b.items, *b.pops, *b.capacity});
}

}  // namespace

explore::program spoiled_program(std::string_view id, const explore::program_bounds& bounds) {
  explore::program made;
  with_specimen<specimens>(id, [&]<class S>() {
    if constexpr (queue_specimen<S>) {
      made = spoiled_queue<S>(bounds);
    } else {
      made = spoiled_timer<S>(bounds);
    }
  });
  return made;
}

}  // namespace racewheel::races
