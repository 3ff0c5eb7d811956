#include <cstdio>
#include "queues/registry.hpp"
int main() {
  racewheel::queue_backends::for_each([]<class B>() { std::puts(B::traits.name.data()); });
}
