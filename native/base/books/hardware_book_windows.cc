#include "native/base/books/hardware_book_windows.h"

// Each needs names of those before it.
// clang-format off
#include <windows.h>
#include <powrprof.h>
#include <winioctl.h>
// clang-format on

#include <algorithm>
#include <array>
#include <cstddef>

#include "native/base/platform/system_path.h"
#include "native/base/platform/utf16_windows.h"

namespace whiteline {
namespace {

constexpr size_t kMostCharacters = 400;
constexpr int kMostDrives = 32;

std::string withoutBlanks(const std::string& text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/** Closes itself. No right is asked for: what a drive is may be read by anybody. */
class Drive {
 public:
  explicit Drive(const std::string& name)
      : handle_(CreateFileW(utf16Of(R"(\\.\)" + name).c_str(), 0, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                            OPEN_EXISTING, 0, nullptr)) {}
  ~Drive() {
    if (isOpen()) CloseHandle(handle_);
  }
  Drive(const Drive&) = delete;
  Drive& operator=(const Drive&) = delete;

  bool isOpen() const { return handle_ != INVALID_HANDLE_VALUE; }

  bool ask(DWORD code, void* question, DWORD questionBytes, void* answer, DWORD answerBytes) const {
    DWORD bytes = 0;
    return DeviceIoControl(handle_, code, question, questionBytes, answer, answerBytes, &bytes, nullptr) != 0;
  }

 private:
  HANDLE handle_;
};

void readDescriptor(const Drive& drive, BookedDrive& booked) {
  STORAGE_PROPERTY_QUERY query{};
  query.PropertyId = StorageDeviceProperty;
  alignas(STORAGE_DEVICE_DESCRIPTOR) std::array<std::byte, 1024> room{};
  // The last byte stays 0.
  if (!drive.ask(IOCTL_STORAGE_QUERY_PROPERTY, &query, sizeof query, room.data(), room.size() - 1)) return;
  const auto* descriptor = reinterpret_cast<const STORAGE_DEVICE_DESCRIPTOR*>(room.data());
  booked.bus = descriptor->BusType;
  const DWORD at = descriptor->ProductIdOffset;
  if (at > 0 && at < room.size())
    booked.model = withoutBlanks(reinterpret_cast<const char*>(room.data() + at));
}

void readSeekPenalty(const Drive& drive, BookedDrive& booked) {
  STORAGE_PROPERTY_QUERY query{};
  query.PropertyId = StorageDeviceSeekPenaltyProperty;
  DEVICE_SEEK_PENALTY_DESCRIPTOR penalty{};
  if (drive.ask(IOCTL_STORAGE_QUERY_PROPERTY, &query, sizeof query, &penalty, sizeof penalty))
    booked.rotating = penalty.IncursSeekPenalty != 0;
}

void readSize(const Drive& drive, BookedDrive& booked) {
  DISK_GEOMETRY_EX geometry{};
  if (drive.ask(IOCTL_DISK_GET_DRIVE_GEOMETRY_EX, nullptr, 0, &geometry, sizeof geometry))
    booked.bytes = static_cast<uint64_t>(geometry.DiskSize.QuadPart);
}

}  // namespace

std::optional<std::string> registryText(const std::string& key, const std::string& name) {
  std::array<wchar_t, kMostCharacters> text{};
  DWORD bytes = sizeof text - sizeof(wchar_t);
  DWORD type = 0;
  const LSTATUS status = RegGetValueW(HKEY_LOCAL_MACHINE, utf16Of(key).c_str(), utf16Of(name).c_str(),
                                      RRF_RT_REG_SZ | RRF_RT_REG_DWORD, &type, text.data(), &bytes);
  if (status != ERROR_SUCCESS) return std::nullopt;
  if (type == REG_DWORD) return std::to_string(*reinterpret_cast<const DWORD*>(text.data()));
  std::string trimmed = withoutBlanks(utf8Of(std::wstring(text.data())));
  return trimmed.empty() ? std::nullopt : std::optional(trimmed);
}

std::vector<std::string> registryTexts(const std::string& key) {
  HKEY opened = nullptr;
  if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, utf16Of(key).c_str(), 0, KEY_READ, &opened) != ERROR_SUCCESS)
    return {};
  DWORD nameCharacters = 0;
  DWORD valueBytes = 0;
  std::vector<std::string> texts;
  LSTATUS status = RegQueryInfoKeyW(opened, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                    &nameCharacters, &valueBytes, nullptr, nullptr);
  std::vector<wchar_t> name(nameCharacters + 1);
  // A value need not end in a zero.
  std::vector<wchar_t> value(valueBytes / sizeof(wchar_t) + 2);
  for (DWORD index = 0; status == ERROR_SUCCESS; ++index) {
    auto characters = static_cast<DWORD>(name.size());
    auto bytes = static_cast<DWORD>((value.size() - 1) * sizeof(wchar_t));
    DWORD type = 0;
    std::fill(value.begin(), value.end(), L'\0');
    status = RegEnumValueW(opened, index, name.data(), &characters, nullptr, &type,
                           reinterpret_cast<BYTE*>(value.data()), &bytes);
    if (status == ERROR_SUCCESS && type == REG_SZ) texts.push_back(utf8Of(std::wstring(value.data())));
  }
  RegCloseKey(opened);
  return texts;
}

std::optional<std::string> powerPlan() {
  GUID* plan = nullptr;
  if (PowerGetActiveScheme(nullptr, &plan) != ERROR_SUCCESS) return std::nullopt;
  std::array<wchar_t, kMostCharacters> text{};
  DWORD bytes = sizeof text - sizeof(wchar_t);
  const DWORD status =
      PowerReadFriendlyName(nullptr, plan, nullptr, nullptr, reinterpret_cast<UCHAR*>(text.data()), &bytes);
  LocalFree(plan);
  if (status != ERROR_SUCCESS || text[0] == L'\0') return std::nullopt;
  return utf8Of(std::wstring(text.data()));
}

std::vector<BookedDisplay> bookedDisplays() {
  std::vector<BookedDisplay> displays;
  DISPLAY_DEVICEW device{};
  device.cb = sizeof device;
  for (DWORD index = 0; EnumDisplayDevicesW(nullptr, index, &device, 0) != 0; ++index) {
    if ((device.StateFlags & DISPLAY_DEVICE_ATTACHED_TO_DESKTOP) == 0) continue;
    DEVMODEW mode{};
    mode.dmSize = sizeof mode;
    if (EnumDisplaySettingsW(device.DeviceName, ENUM_CURRENT_SETTINGS, &mode) == 0) continue;
    displays.push_back({.connector = utf8Of(std::wstring(device.DeviceName)),
                        .gpu = utf8Of(std::wstring(device.DeviceString)),
                        .width = mode.dmPelsWidth,
                        .height = mode.dmPelsHeight,
                        .refreshHz = mode.dmDisplayFrequency});
  }
  return displays;
}

std::vector<BookedDrive> bookedDrives() {
  std::vector<BookedDrive> drives;
  for (int number = 0; number < kMostDrives; ++number) {
    BookedDrive booked{.name = "PhysicalDrive" + std::to_string(number), .model = {}, .rotating = {}};
    const Drive drive(booked.name);
    if (!drive.isOpen()) continue;
    readDescriptor(drive, booked);
    readSeekPenalty(drive, booked);
    readSize(drive, booked);
    drives.push_back(std::move(booked));
  }
  return drives;
}

}  // namespace whiteline
