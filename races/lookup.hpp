// From the id of a specimen, as a command line names it, to its type.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/timer_recipe.hpp"
#include "races/registry.hpp"
#include "races/specimen.hpp"

namespace racewheel {

template <class List, class... Ts>
struct appended;
template <class... Us, class... Ts>
struct appended<type_list<Us...>, Ts...> {
  using type = type_list<Us..., Ts...>;
};

/// The types of a list for which Wanted<T>::value holds.
template <template <class> class Wanted, class List, class Chosen = type_list<>>
struct chosen_of {
  using type = Chosen;
};
template <template <class> class Wanted, class T, class... Ts, class Chosen>
struct chosen_of<Wanted, type_list<T, Ts...>, Chosen>
    : chosen_of<Wanted, type_list<Ts...>,
                std::conditional_t<Wanted<T>::value, typename appended<Chosen, T>::type, Chosen>> {
};

template <class S>
struct spoils_timer : std::is_same<typename S::base, timer_recipe> {};
template <class S>
struct spoils_queue : std::bool_constant<queue_specimen<S>> {};

using timer_specimens = chosen_of<spoils_timer, specimens>::type;
using queue_specimens = chosen_of<spoils_queue, specimens>::type;

/// What an id that does not exist is answered with; the message lists those that do.
class unknown_specimen : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// The ids of a list of specimens, in its order: "a, b, c".
template <class List>
[[nodiscard]] std::string specimen_ids() {
  std::string ids;
  List::for_each([&]<class S>() {
    if (!ids.empty()) ids += ", ";
    ids += S::facts.id;
  });
  return ids;
}

/// Calls `visit.template operator()<S>()` for the specimen of List with this id. Throws
/// unknown_specimen.
template <class List, class Visit>
void with_specimen(std::string_view id, Visit&& visit) {
  bool found = false;
  List::for_each([&]<class S>() {
    if (S::facts.id != id) return;
    found = true;
    visit.template operator()<S>();
  });
  if (!found) {
    throw unknown_specimen("specimen " + std::string(id) + " is unknown here: use one of " +
                           specimen_ids<List>());
  }
}

/// Calls `visit.template operator()<Recipe>()` with the spoiled recipe of a timer; with the one
/// that ships if `id` is empty, which is what a command line without --specimen means.
template <class Visit>
void with_timer_specimen(std::string_view id, Visit&& visit) {
  if (id.empty()) return visit.template operator()<timer_recipe>();
  with_specimen<timer_specimens>(
      id, [&]<class S>() { visit.template operator()<typename S::recipe>(); });
}

/// Calls `visit.template operator()<Backend>()` with the spoiled backend.
template <class Visit>
void with_queue_specimen(std::string_view id, Visit&& visit) {
  with_specimen<queue_specimens>(id, [&]<class S>() {
    visit.template operator()<typename S::queue::template with_recipe<typename S::recipe>>();
  });
}

}  // namespace racewheel
