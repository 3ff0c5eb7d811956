#include "explore/cell.hpp"

#include "explore/engine.hpp"

namespace racewheel::explore {

cell::cell(word initial, bool is_pointer)
    : handle_(engine::current().create(this, initial, is_pointer)) {}

cell::~cell() {
  if (engine* const e = engine::running()) e->destroy(handle_);
}

word cell::load(access a) const { return engine::current().load(handle_, a); }
void cell::store(word value, access a) { engine::current().store(handle_, value, a); }

word cell::modify(rmw_kind kind, word operand, word mask, access a) {
  return engine::current().modify(handle_, kind, operand, mask, a);
}

bool cell::compare_exchange(word& expected, word desired, access success, access failure,
                            bool weak) {
  return engine::current().compare_exchange(handle_, expected, desired, success, failure, weak);
}

void cell::wait(word old, access a) const { engine::current().wait(handle_, old, a); }
void cell::notify(bool all, access a) { engine::current().notify(handle_, all, a); }
word cell::latest() const { return engine::current().latest(handle_); }

void fence(access a) { engine::current().fence(a); }

}  // namespace racewheel::explore
