// racewheel tour: every queue and every timer at work, in about half a minute.
#include "cli/tour.hpp"

#include <fmt/core.h>

#include <thread>

#include "cli/command.hpp"
#include "cli/number_option.hpp"
#include "core/wheels.hpp"
#include "queues/registry.hpp"

namespace racewheel::cli {
namespace {

struct options {
  output_options output;
  std::uint64_t seed = 1;
  std::size_t messages = 2'000'000;
  std::size_t timeouts = 100'000;
};

constexpr std::size_t most_messages = 100'000'000;
constexpr double least_share = 0.05;

/// Rows in which threads share cores measure scheduling and batching as well.
std::string cores_note(std::size_t threads) {
  return threads > std::thread::hardware_concurrency() ? "shared cores" : "";
}

void queue_half(const options& o, report& result, progress_line& progress) {
  table t(
      {"queue", "producers", "messages", "by id and order", "M msg/s", "RMW/msg", "locks/msg", ""});
  queue_backends::for_each([&]<class Backend>() {
    for (const std::size_t producers : {1u, 2u, 4u, 8u}) {
      const std::string name(Backend::traits.name);
      progress.show(fmt::format("tour: {} with {} producers", name, producers));
      const queue_tour_row r = queue_tour<Backend>(producers, o.messages);
      const verdict v = r.violation ? verdict::violation : verdict::ok;
      if (r.violation)
        result.note(v, fmt::format("{} with {} producers: {}", name, producers, *r.violation));
      const double rate = static_cast<double>(r.messages) / r.seconds / 1e6;
      t.add({name, std::to_string(producers), std::to_string(r.messages),
             r.violation ? "VIOLATION" : "ok", fmt::format("{:.1f}", rate),
             fmt::format("{:.2f}", r.rmws_per_message), fmt::format("{:.2f}", r.locks_per_message),
             cores_note(producers + 1)});
      result.rows.push_back({{"scenario", "queue"},
                             {"queue", name},
                             {"wheel", nullptr},
                             {"verdict", name_of(v)},
                             {"operations", r.messages},
                             {"seconds", r.seconds},
                             {"outcomes", nlohmann::ordered_json::array()},
                             {"producers", producers},
                             {"million_per_second", rate},
                             {"rmws_per_message", r.rmws_per_message},
                             {"locks_per_message", r.locks_per_message}});
    }
  });
  if (!o.output.json_on_stdout()) t.print();
}

nlohmann::ordered_json outcome(std::string_view name, std::uint64_t count) {
  return {{"name", name}, {"count", count}, {"class", "allowed"}};
}

template <class Backend, class Wheel>
void timer_row(const options& o, report& result, table& t) {
  const timer_tour_plan plan{.timeouts = o.timeouts, .seed = o.seed};
  const std::string queue(Backend::traits.name);
  const std::string wheel(traits_of_wheel<Wheel>.name);
  const timer_tour_row r = timer_tour<Backend, Wheel>(plan);
  const double share = static_cast<double>(r.aimed_won) / static_cast<double>(r.aimed);
  verdict v = verdict::ok;
  if (r.violation) {
    v = verdict::violation;
    result.note(v, fmt::format("{} on {}: {}", wheel, queue, *r.violation));
  } else if (share < least_share || share > 1 - least_share) {
    v = verdict::inconclusive;
    result.note(v,
                fmt::format("{} on {}: {:.1f} % of the aimed cancels were in time; both outcomes "
                            "need 5 %",
                            wheel, queue, share * 100));
  }
  const double rate = static_cast<double>(r.scheduled + r.aimed) / r.seconds / 1e6;
  t.add({wheel, queue, std::to_string(r.scheduled), std::to_string(r.fired),
         std::to_string(r.cancelled), std::to_string(r.returned), std::to_string(r.rejected),
         std::to_string(r.refused), v == verdict::ok ? "ok" : std::string(name_of(v)),
         fmt::format("{:.0f}%", share * 100), fmt::format("{:.0f}", r.lateness_p50_us),
         fmt::format("{:.0f}", r.lateness_p99_us), fmt::format("{:.2f}", rate)});
  result.rows.push_back(
      {{"scenario", "timer"},
       {"queue", queue},
       {"wheel", wheel},
       {"verdict", name_of(v)},
       {"operations", r.scheduled + r.aimed},
       {"seconds", r.seconds},
       {"outcomes",
        {outcome("cancel won", r.aimed_won), outcome("expire won", r.aimed - r.aimed_won)}},
       {"scheduled", r.scheduled},
       {"fired", r.fired},
       {"cancelled", r.cancelled},
       {"returned", r.returned},
       {"rejected", r.rejected},
       {"refused", r.refused},
       {"lateness_us_p50", r.lateness_p50_us},
       {"lateness_us_p99", r.lateness_p99_us},
       {"million_per_second", rate}});
}

void timer_half(const options& o, report& result, progress_line& progress) {
  table t({"wheel", "queue", "scheduled", "fired", "cancelled", "returned", "rejected", "refused",
           "exactly once", "cancel won", "p50 late us", "p99 late us", "M op/s"});
  queue_backends::for_each([&]<class Backend>() {
    wheel_kinds::for_each([&]<class Wheel>() {
      progress.show(
          fmt::format("tour: {} on {}", traits_of_wheel<Wheel>.name, Backend::traits.name));
      timer_row<Backend, Wheel>(o, result, t);
    });
  });
  if (!o.output.json_on_stdout()) {
    fmt::print("\n");
    t.print();
  }
}

int run(context& c, const options& o) {
  report result{.command = "tour", .args = c.args, .seed = o.seed, .reason = {}, .replay = {}};
  {
    progress_line progress(o.output);
    queue_half(o, result, progress);
    timer_half(o, result, progress);
  }
  if (result.result != verdict::ok) result.replay = fmt::format("racewheel tour --seed {}", o.seed);
  if (result.result == verdict::ok && !o.output.json_on_stdout()) {
    fmt::print("\nok: every message and every timeout accounted for, by id\n");
  }
  return result.finish(o.output);
}

}  // namespace

void add_tour(context& c) {
  auto o = std::make_shared<options>();
  CLI::App* const sub = add_command(c, "tour", "every queue and every timer at work", o, run);
  add_seed(*sub, o->seed, "seed of the delays");
  add_number(*sub, "--messages", o->messages, std::size_t{8}, most_messages,
             "messages per queue and number of producers");
  add_number(*sub, "--timeouts", o->timeouts, std::size_t{400}, most_messages,
             "timeouts per wheel and queue");
}

}  // namespace racewheel::cli
