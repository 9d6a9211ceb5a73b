#include "native/base/platform/network_interface.h"

// Each needs names of those before it.
// clang-format off
#include <winsock2.h>
#include <ws2ipdef.h>
#include <iphlpapi.h>
#include <netioapi.h>
// clang-format on

#include "native/base/platform/error.h"
#include "native/base/platform/system_path.h"
#include "native/base/platform/utf16_windows.h"

namespace whiteline {
namespace {

constexpr uint64_t kUnknownSpeed = UINT64_MAX;
constexpr const char* kNotAsked = "Whiteline does not read it on Windows";

std::optional<MIB_IF_ROW2> rowOf(const std::string& name) {
  MIB_IF_ROW2 row{};
  if (ConvertInterfaceAliasToLuid(utf16Of(name).c_str(), &row.InterfaceLuid) != NO_ERROR) return std::nullopt;
  if (GetIfEntry2(&row) != NO_ERROR) return std::nullopt;
  return row;
}

}  // namespace

/** `name` is the one that Windows shows, such as Ethernet 2. */
std::optional<NetworkInterfaceFacts> networkInterfaceFacts(const std::string& name) {
  const std::optional<MIB_IF_ROW2> row = rowOf(name);
  if (!row) throw Error("NOT_FOUND", "No network interface is called " + name);
  NetworkInterfaceFacts facts;
  facts.mtuBytes = row->Mtu;
  facts.driver = InterfaceDriver{.name = utf8Of(std::wstring(row->Description))};
  const uint64_t bitsPerSecond = row->TransmitLinkSpeed;
  const bool isKnown = row->OperStatus == IfOperStatusUp && row->Type != IF_TYPE_SOFTWARE_LOOPBACK &&
                       bitsPerSecond != 0 && bitsPerSecond != kUnknownSpeed;
  if (isKnown) {
    facts.link = InterfaceLink{.speedMbps = static_cast<uint32_t>(bitsPerSecond / 1'000'000)};
  } else {
    facts.notKnown["link"] = "the driver does not report it";
  }
  for (const char* fact : {"eee", "clock", "offloads"}) facts.notKnown[fact] = kNotAsked;
  return facts;
}

}  // namespace whiteline
