#pragma once

#include <napi.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "native/base/pacing/schedule.h"
#include "native/base/platform/byte_source.h"

namespace whiteline {

/** The widest and the highest picture. */
inline constexpr int64_t kMostPixels = 16384;
/** Of a rate's numerator and denominator. */
inline constexpr int64_t kMostRateTerm = INT32_MAX;
/** 2⁵³ − 1: JavaScript's whole numbers are exact up to here. */
inline constexpr int64_t kMostExactInteger = 9007199254740991;
inline constexpr double kMostWallOffsetUs = kMostExactInteger;

/** Reads the fields of an options object; each refuses misfits: INVALID_ARGUMENT, naming the field. */
class Arguments {
 public:
  /** `path` names the object in messages; empty for the options themselves. */
  explicit Arguments(const Napi::Value& value, std::string path = {});

  std::string text(const char* field) const;
  /** Empty when the field is absent. */
  std::string optionalText(const char* field) const;
  std::vector<std::string> texts(const char* field) const;
  std::vector<std::string> optionalTexts(const char* field) const;
  /** A list of whole numbers from 0 to 2³² − 1. */
  std::vector<uint32_t> frameNumbers(const char* field) const;
  int64_t integer(const char* field, int64_t least, int64_t most) const;
  int64_t optionalInteger(const char* field, int64_t least, int64_t most, int64_t fallback) const;
  double number(const char* field, double least, double most) const;
  double optionalNumber(const char* field, double least, double most, double fallback) const;
  bool flag(const char* field) const;
  bool optionalFlag(const char* field, bool fallback) const;
  Arguments object(const char* field) const;
  Napi::Value raw(const char* field) const { return object_.Get(field); }

  /** The place of `field`'s value in a list of allowed texts. */
  template <size_t count>
  size_t choice(const char* field, const char* const (&allowed)[count]) const {
    return choiceAmong(field, allowed, count);
  }

  std::string pathOf(const char* field) const;

 private:
  size_t choiceAmong(const char* field, const char* const* allowed, size_t count) const;
  bool absent(const char* field) const;

  std::string path_;
  Napi::Object object_;
};

/** The fields `rateNumerator` and `rateDenominator`: at most 1000 frames per second. */
Rate rateOf(const Arguments& arguments);

/** The field `reads`: cached or direct. */
Reads readsOf(const Arguments& arguments);

/** The list in `value`, each entry a text. */
std::vector<std::string> textsOf(const Napi::Value& value, const std::string& path);

/** A text argument that is not part of an options object. */
std::string textOf(const Napi::Value& value, const std::string& path);

/** @throws Error INVALID_ARGUMENT "Expected … for … but received …" */
[[noreturn]] void refuse(const std::string& expected, const std::string& path, const Napi::Value& received);

}  // namespace whiteline
