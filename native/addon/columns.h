#pragma once

#include <napi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "native/base/statistics/record_ring.h"

namespace whiteline {

/** Null: it is not known. */
template <class Count>
Napi::Value numberOrNull(Napi::Env env, const std::optional<Count>& count) {
  return count ? Napi::Number::New(env, static_cast<double>(*count)) : env.Null();
}

/** A column of records: what a record's entry is, and how JavaScript calls the column. */
template <class Element, class ValueOf>
struct Column {
  const char* name;
  ValueOf valueOf;
};

template <class Element, class ValueOf>
Column<Element, ValueOf> column(const char* name, ValueOf valueOf) {
  return {name, valueOf};
}

/** The records that a ring holds now, oldest first, as columns for JavaScript in one piece of its memory: in
 * the order in which `app/protocol/record-block.ts` sends them. That memory belongs to JavaScript: Electron
 * allows no other. */
template <class Record, class... Element, class... ValueOf>
Napi::Object columnsOf(Napi::Env env, RecordRing<Record>& ring, const Column<Element, ValueOf>&... columns) {
  constexpr auto kWidths = std::to_array({sizeof(Element)...});
  static_assert(std::ranges::is_sorted(kWidths, std::ranges::greater()),
                "wider columns come first, so that all are aligned");
  Napi::Object result = Napi::Object::New(env);
  result.Set("overflowed", Napi::Number::New(env, static_cast<double>(ring.overflowed())));
  // Where JavaScript has no memory for them, the records wait for the next drain.
  ring.drainWhole([&](const auto& records) {
    const auto memory = Napi::ArrayBuffer::New(env, records.size() * (sizeof(Element) + ...));
    size_t atByte = 0;
    const auto add = [&]<class E, class V>(const Column<E, V>& column) {
      auto entries = Napi::TypedArrayOf<E>::New(env, records.size(), memory, atByte);
      E* entry = entries.Data();
      records.visit([&](const Record& record) { *entry++ = static_cast<E>(column.valueOf(record)); });
      result.Set(column.name, entries);
      atByte += records.size() * sizeof(E);
    };
    (add(columns), ...);
  });
  return result;
}

}  // namespace whiteline
