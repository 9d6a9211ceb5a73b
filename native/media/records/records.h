#pragma once

#include <cstdint>

namespace whiteline {

// The numbers of these enumerations are those of app/protocol/records.ts, which says what each means.

enum class SlotState : uint8_t { Released = 0, LateSource = 1, Skipped = 2 };

/** Why the picture of a late slot was not ready. */
enum class LateCause : uint8_t { None = 0, Disk = 1, Decode = 2, Damaged = 3, Command = 4 };

enum class MissCause : uint8_t { SourceSkipped = 0, SendBlocked = 1, SenderLate = 2, Injected = 3 };

enum class PictureStatus : uint8_t {
  Good = 0,
  Torn = 1,
  Damaged = 2,
  Mislabelled = 3,
  WrongSize = 4,
  Stale = 5,
  Discoloured = 6,
  Dimmed = 7,
  Undecodable = 8
};

enum class PictureClass : uint8_t {
  Coded = 0,
  Black = 1,
  SolidGreen = 2,
  Placeholder = 3,
  Frozen = 4,
  Other = 5
};

/** One slot of a source, written by the source's thread. */
struct SourceRecord {
  uint32_t frameNumber;
  SlotState state;
  /** None unless the slot is late. */
  LateCause lateCause;
  int64_t slotNs;
  /** 0 for a skipped slot. */
  int64_t releaseNs;
};

/** One frame that a sender submitted. */
struct SubmitRecord {
  uint32_t frameNumber;
  /** The transport's send call was entered, or would have been for an injected skip. */
  int64_t beginNs;
  /** How long the longest visit to the transport since the submit before took: for its picture and sound, or
   * for metadata. */
  int64_t previousCallNs;
};

/** One slot for which a sender submitted nothing. */
struct MissRecord {
  uint32_t frameNumber;
  MissCause cause;
  /** When the miss was certain. */
  int64_t atNs;
};

constexpr int64_t kNoTime = INT64_MAX;
/** A count that the transport does not know. */
constexpr uint32_t kUnknownCount = UINT32_MAX;

/** One captured picture. */
struct CaptureRecord {
  int64_t captureNs;
  /** As read from the code; 0 if undecodable, as are frameNumber and sourceId. */
  uint64_t releaseTimeUs;
  /** When the transport sent it and which moment it shows, ns since 1970; kNoTime where unknown. */
  int64_t sentNs;
  int64_t mediaTimeNs;
  uint32_t frameNumber;
  /** Pictures that the transport itself has dropped so far because they were not fetched in time, or
   * kUnknownCount. */
  uint32_t transportDropped;
  uint16_t sourceId;
  /** From the frame's metadata; 0 if there was none. */
  uint16_t senderId;
  PictureStatus status;
  PictureClass pictureClass;
  /** Not a number where undecodable. */
  float codeHealth;
  /** Picture rows between which the white line was not as it should be; both 0 if it was, or was not
   * looked for. */
  uint16_t firstSpoiltRow;
  uint16_t lastSpoiltRow;
  /** Places at which the white line was looked for, 0 if it was not; and those with contrast to the
   * picture. */
  uint16_t linePlaces;
  uint16_t lineWitnesses;
};

/** One captured block of sound. */
struct AudioRecord {
  int64_t captureNs;
  /** From the block's metadata; negative where there was none. */
  int64_t frameNumber;
  /** Samples before the first one of a tone burst; negative where none begins. */
  int32_t burstSample;
  uint32_t samples;
  uint32_t sampleRate;
};

/** One answered question for the sender's time, in µs of each side's release clock. */
struct TimeRecord {
  int64_t askedUs;
  int64_t heardUs;
  int64_t repliedUs;
  int64_t answeredUs;
};

}  // namespace whiteline
