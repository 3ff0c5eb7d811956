#include "explore/programs/registry.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <type_traits>

#include "core/wheels.hpp"
#include "explore/programs/push_pop.hpp"
#include "explore/programs/timer_programs.hpp"
#include "queues/registry.hpp"

namespace racewheel::explore {

namespace {

constexpr std::array push_pop_takes{
    program_bound{"producers", &program_bounds::producers, 1, 12, 2},
    program_bound{"items", &program_bounds::items, 1, 16, 1},
    program_bound{"pops", &program_bounds::pops, 0, 64, 2},
    program_bound{"capacity", &program_bounds::capacity, 0, 64, 0},
};

/// Calls make<Backend>() for the backend that is asked for.
template <class Make>
program on_backend(const program_parameters& p, Make&& make) {
  program made;
  std::string known;
  queue_backends::for_each([&]<class Backend>() {
    if constexpr (Backend::traits.explorable) {
      known.append(" ").append(Backend::traits.name);
      if (Backend::traits.name == p.queue) made = make.template operator()<Backend>();
    }
  });
  if (made.body) return made;
  throw std::invalid_argument("queue '" + p.queue + "' cannot be explored; use one of" + known);
}

program make_push_pop(const program_parameters& p) {
  const program_bounds& b = p.bounds;
  return on_backend(p, [&]<class Backend>() {
    return push_pop<Backend>({*b.producers, *b.items, *b.pops, *b.capacity});
  });
}

template <class List>
struct first_of;
template <class First, class... Rest>
struct first_of<type_list<First, Rest...>> {
  using type = First;
};

/// Not every pair is built: each backend with the first wheel, each wheel with the first backend.
template <class Wheel, class Backend>
constexpr bool is_explored = std::is_same_v<Wheel, first_of<wheel_kinds>::type> ||
                             std::is_same_v<Backend, first_of<queue_backends>::type>;

template <class Program>
program make_timer_program(const program_parameters& p) {
  return on_backend(p, [&]<class Backend>() {
    program made;
    std::string known;
    wheel_kinds::for_each([&]<class Wheel>() {
      if constexpr (is_explored<Wheel, Backend>) {
        constexpr std::string_view name = traits_of_wheel<Wheel>.name;
        known.append(" ").append(name);
        if (name == p.wheel) {
          made = timer_program<explored_timer<Wheel, Backend>>(Program::name, p.bounds);
        }
      }
    });
    if (made.body) return made;
    throw std::invalid_argument("wheel '" + p.wheel + "' is not explored on queue " + p.queue +
                                "; use one of" + known);
  });
}

template <class... Programs>
constexpr auto entries_of(type_list<Programs...>) {
  return std::array{
      program_entry{"push_pop", "producers push, one consumer pops, then all is drained",
                    program_needs::queue, push_pop_takes, &make_push_pop},
      program_entry{Programs::name, Programs::summary, program_needs::timer, Programs::bounds,
                    &make_timer_program<Programs>}...};
}

constexpr std::array registry = entries_of(timer_programs{});

}  // namespace

std::span<const program_entry> programs() noexcept { return registry; }

const program_entry& find_program(std::string_view name) {
  const auto found = std::find_if(registry.begin(), registry.end(),
                                  [&](const program_entry& e) { return e.name == name; });
  if (found != registry.end()) return *found;
  std::string known;
  for (const program_entry& e : registry) known.append(" ").append(e.name);
  throw std::invalid_argument("program '" + std::string(name) +
                              "' does not exist; there are:" + known);
}

program make_program(std::string_view name, program_parameters p) {
  const program_entry& entry = find_program(name);
  p.bounds = resolved(entry.name, entry.bounds, p.bounds);
  return entry.make(p);
}

}  // namespace racewheel::explore
