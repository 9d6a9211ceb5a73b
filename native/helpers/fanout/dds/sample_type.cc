#include "native/helpers/fanout/dds/sample_type.h"

#include <fastdds/rtps/common/SerializedPayload.h>

#include <cstring>

namespace whiteline::fanout {
namespace {

using eprosima::fastrtps::rtps::SerializedPayload_t;

constexpr size_t kEncapsulationBytes = SerializedPayload_t::representation_header_size;
/** Common data representation, least significant byte first, no options. */
constexpr uint8_t kEncapsulation[kEncapsulationBytes] = {0, 1, 0, 0};

}  // namespace

SampleType::SampleType(size_t mostBytes) {
  setName("WhitelineFanoutSample");
  m_typeSize = static_cast<uint32_t>(mostBytes + kEncapsulationBytes);
  m_isGetKeyDefined = false;
  auto_fill_type_object(false);
  auto_fill_type_information(false);
}

bool SampleType::serialize(void* data, SerializedPayload_t* payload) {
  const std::span<const uint8_t> bytes = static_cast<Octets*>(data)->bytes();
  const size_t length = bytes.size() + kEncapsulationBytes;
  if (length > payload->max_size) return false;
  std::memcpy(payload->data, kEncapsulation, kEncapsulationBytes);
  std::memcpy(payload->data + kEncapsulationBytes, bytes.data(), bytes.size());
  payload->encapsulation = CDR_LE;
  payload->length = static_cast<uint32_t>(length);
  return true;
}

bool SampleType::deserialize(SerializedPayload_t* payload, void* data) {
  if (payload->length < kEncapsulationBytes) return false;
  const std::span<const uint8_t> whole(payload->data, payload->length);
  static_cast<Octets*>(data)->take(whole.subspan(kEncapsulationBytes));
  return true;
}

std::function<uint32_t()> SampleType::getSerializedSizeProvider(void* data) {
  return [data] {
    return static_cast<uint32_t>(static_cast<Octets*>(data)->bytes().size() + kEncapsulationBytes);
  };
}

}  // namespace whiteline::fanout
