// The platform's calls, handed to the running engine.
#include "explore/platform.hpp"

#include <system_error>
#include <utility>

#include "explore/engine.hpp"
#include "explore/moment.hpp"
#include "explore/program.hpp"

namespace racewheel::explore {

namespace {
// As std_event: a mutex inside makes every operation both acquire and release.
constexpr site event_signal{platform_site::event_signal.name, std::memory_order::acq_rel};
constexpr site event_wait{platform_site::event_wait.name, std::memory_order::acq_rel};
constexpr site now_site{"now", std::memory_order::acquire};
}  // namespace

void mutex::lock() noexcept { engine::current().lock(cell_.handle(), platform_site::lock); }
bool mutex::try_lock() noexcept {
  return engine::current().try_lock(cell_.handle(), platform_site::lock);
}
void mutex::unlock() noexcept { engine::current().unlock(cell_.handle(), platform_site::unlock); }

void event_object::signal() noexcept { engine::current().signal(cell_.handle(), event_signal); }
void event_object::wait() noexcept {
  static_cast<void>(engine::current().await(cell_.handle(), never, event_wait));
}
bool event_object::wait_until(time_point deadline) {
  if (std::exchange(engine::current().faults().wait, false)) {
    throw std::system_error(std::make_error_code(std::errc::operation_not_permitted));
  }
  return engine::current().await(cell_.handle(), deadline, event_wait);
}

void check(bool condition, const char* name) {
  if (condition) return;
  engine& e = engine::current();
  e.fail(finding_kind::assertion,
         std::string(name).append(" does not hold (") + e.thread_name(e.current_thread()) + ")");
}

moment moment::now() noexcept {
  const engine& e = engine::current();
  moment m;
  m.thread_ = e.current_thread();
  m.index_ = e.execution().index_of(m.thread_);
  return m;
}

moment moment::next() noexcept {
  moment m = now();
  ++m.index_;
  return m;
}

void set_horizon(time_point horizon) { engine::current().set_horizon(horizon); }
void fail_next_thread() { engine::current().faults().thread = true; }
void fail_next_wait() { engine::current().faults().wait = true; }

bool moment::happened_before_now() const noexcept {
  const engine& e = engine::current();
  return index_ != not_yet &&
         e.execution().thread(e.current_thread()).clock.covers(thread_, index_);
}

namespace detail {
thread_number start_thread(void (*run)(void*), void (*destroy)(void*) noexcept, void* object) {
  if (std::exchange(engine::current().faults().thread, false)) {
    if (destroy != nullptr) destroy(object);
    throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
  }
  return engine::current().start_thread(run, destroy, object);
}
void join_threads(std::uint32_t members) { engine::current().join(members); }
thread_number current_thread() noexcept { return engine::current().current_thread(); }
void* scratch(std::size_t size, std::size_t alignment) {
  return engine::current().scratch(size, alignment);
}
time_point now() noexcept { return engine::current().now(now_site); }
void pause() noexcept { engine::current().pause(); }
void* allocate(std::size_t size, std::size_t alignment) {
  return engine::current().allocate(size, alignment);
}
void deallocate(void* memory) noexcept { engine::current().deallocate(memory); }
plain_handle create_plain(const void* address) { return engine::current().create_plain(address); }
void destroy_plain(plain_handle h) noexcept {
  if (engine* const e = engine::running()) e->destroy_plain(h);
}
void made_progress() noexcept { engine::current().made_progress(); }
void touch(plain_handle h, bool writes, std::source_location where) noexcept {
  engine::current().touch(h, writes, where);
}
}  // namespace detail

}  // namespace racewheel::explore
