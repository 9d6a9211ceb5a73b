#pragma once

#include <napi.h>

#include <cstdint>
#include <vector>

#include "native/base/statistics/record_ring.h"

namespace whiteline {

/** The records that a ring holds now, oldest first, turned into columns for JavaScript. */
template <class Record>
class Columns {
 public:
  Columns(Napi::Env env, RecordRing<Record>& ring) : env_(env), result_(Napi::Object::New(env)) {
    records_.reserve(ring.size());
    ring.drain([this](const Record& record) { records_.push_back(record); });
    result_.Set("overflowed", Napi::Number::New(env, static_cast<double>(ring.overflowed())));
  }

  /** `valueOf` gives a record's entry. The memory belongs to JavaScript: Electron allows no other. */
  template <class Element, class ValueOf>
  Columns& add(const char* name, ValueOf&& valueOf) {
    auto column = Napi::TypedArrayOf<Element>::New(env_, records_.size());
    Element* elements = column.Data();
    for (const Record& record : records_) *elements++ = static_cast<Element>(valueOf(record));
    result_.Set(name, column);
    return *this;
  }

  Napi::Object result() const { return result_; }

 private:
  Napi::Env env_;
  Napi::Object result_;
  std::vector<Record> records_;
};

}  // namespace whiteline
