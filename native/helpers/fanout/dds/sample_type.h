#pragma once

#include <cstdint>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <functional>
#include <span>

namespace whiteline::fanout {

/** What a writer is given, and what a reader gives: the octets of a payload. */
class Octets {
 public:
  Octets() = default;
  explicit Octets(std::span<const uint8_t> bytes) : bytes_(bytes) {}
  virtual ~Octets() = default;
  Octets(const Octets&) = delete;
  Octets& operator=(const Octets&) = delete;

  std::span<const uint8_t> bytes() const { return bytes_; }
  /** Those of a payload that came; they are the library's, and gone afterwards. */
  virtual void take(std::span<const uint8_t> bytes) { bytes_ = bytes; }

 private:
  std::span<const uint8_t> bytes_;
};

/** Octets of any meaning, written without an IDL compiler. A reader looks at them where they lie. */
class SampleType : public eprosima::fastdds::dds::TopicDataType {
 public:
  explicit SampleType(size_t mostBytes);

  bool serialize(void* data, eprosima::fastrtps::rtps::SerializedPayload_t* payload) override;
  bool deserialize(eprosima::fastrtps::rtps::SerializedPayload_t* payload, void* data) override;
  std::function<uint32_t()> getSerializedSizeProvider(void* data) override;
  void* createData() override { return new Octets; }
  void deleteData(void* data) override { delete static_cast<Octets*>(data); }
  /** There is no key. */
  bool getKey(void*, eprosima::fastrtps::rtps::InstanceHandle_t*, bool) override { return false; }
};

}  // namespace whiteline::fanout
