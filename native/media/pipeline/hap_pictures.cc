#include "native/media/pipeline/hap_pictures.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "native/base/pacing/clock.h"
#include "native/base/pacing/time_units.h"
#include "native/base/platform/thread_name.h"
#include "native/base/platform/thread_policy.h"
#include "native/media/hap/hap_variant.h"
#include "native/media/pattern/background.h"

namespace whiteline {
namespace {

/** With a first picture, the schedule starts without the rest of the look-ahead after this time. */
constexpr int64_t kLookAheadPatienceNs = kNsPerSecond;
/** How often a movie is tried of which nothing was good yet. */
constexpr auto kDamagePause = std::chrono::milliseconds(10);

std::unique_ptr<Frame> backgroundFor(const MovieIndex& index, PixelFormat format) {
  if (!hasAlpha(index.variant)) return nullptr;
  auto background = std::make_unique<Frame>(index.width, index.height, format);
  paintNeutralGrid(background->picture());
  return background;
}

/** What was wrong, in words; nothing when all went well. */
template <class Work>
std::optional<std::string> damageIn(Work&& work) {
  try {
    work();
    return std::nullopt;
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

HapPictures::HapPictures(FramePool pool, std::unique_ptr<PlayableMovie> movie, Rate rate, size_t startFrame,
                         std::shared_ptr<DecodePool> decodePool, MovieHealth& health)
    : pool_(std::move(pool)),
      movie_(std::move(movie)),
      timeline_(movie_->index(), rate, startFrame),
      openedNs_(monotonicNs()),
      background_(backgroundFor(movie_->index(), pool_.format())),
      health_(health),
      decodePool_(std::move(decodePool)) {
  for (Place& place : places_) place.owner = this;
  thread_ = std::thread([this] { run(); });
}

HapPictures::~HapPictures() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
  for (Place& place : places_) decodePool_->withdraw(place);
}

PictureSource::Readiness HapPictures::readiness() {
  const std::lock_guard lock(mutex_);
  if (count(Place::State::Ready) == 0) return Readiness::Waiting;
  const bool settled =
      lookAhead_.allBegun() && count(Place::State::Reading) == 0 && count(Place::State::Queued) == 0;
  const bool impatient = monotonicNs() - openedNs_ > kLookAheadPatienceNs;
  return settled || impatient ? Readiness::Ready : Readiness::Waiting;
}

std::shared_ptr<Frame> HapPictures::begin(const Schedule& schedule) {
  std::shared_ptr<Frame> earliest;
  {
    const std::lock_guard lock(mutex_);
    const Place* place = nullptr;
    for (const Place& other : places_) {
      if (other.state == Place::State::Ready && (place == nullptr || other.slot < place->slot))
        place = &other;
    }
    if (place != nullptr) earliest = place->picture;
    lookAhead_.setSchedule(schedule);
    if (lookAhead_.first() > 0) {
      // The first frames were damaged. Their slots come all the same, and by now they may have been repaired.
      passTo(UINT64_MAX);
      lookAhead_.rewind();
      health_.forgetDamage();
    }
  }
  changed_.notify_one();
  return earliest;
}

std::shared_ptr<Frame> HapPictures::next(uint64_t slot) {
  std::shared_ptr<Frame> picture;
  {
    const std::lock_guard lock(mutex_);
    passTo(slot);
    Place* place = placeOf(slot);
    if (place != nullptr && place->state == Place::State::Ready) {
      picture = std::move(place->picture);
      passTo(slot + 1);
    } else {
      lateCause_ = causeOf(slot, monotonicNs());
    }
  }
  changed_.notify_one();
  return picture;
}

void HapPictures::run() {
  nameThread("wl-read");
  adoptThreadPolicy(ThreadRole::Background);
  std::unique_lock lock(mutex_);
  while (Place* place = waitForPlace(lock)) {
    reopenIfLost(lock);
    read(*place, lock);
  }
}

HapPictures::Place* HapPictures::waitForPlace(std::unique_lock<std::mutex>& lock) {
  lookAhead_.noteHeldUpByDecoding(false);
  while (!stopping_) {
    const int64_t nowNs = monotonicNs();
    lookAhead_.passWhatHasGoneBy(nowNs);
    vacatePassed();
    lookAhead_.leaveOutWhatCannotBeInTime(nowNs);
    if (lookAhead_.allBegun()) {
      waitForWindow(lock);
      continue;
    }
    const auto place = std::find_if(places_.begin(), places_.end(),
                                    [](const Place& other) { return other.state == Place::State::Free; });
    if (place == places_.end()) {
      lookAhead_.noteHeldUpByDecoding(true);
      changed_.wait(lock);
      continue;
    }
    place->picture = pool_.acquire();
    if (place->picture != nullptr) return &*place;
    // The pool's bound leaves room for us, but a sender on its way out may hold a picture a moment longer.
    changed_.wait_for(lock, kPoolPoll);
  }
  return nullptr;
}

void HapPictures::waitForWindow(std::unique_lock<std::mutex>& lock) {
  if (lookAhead_.hasSchedule()) {
    changed_.wait_for(lock, std::chrono::nanoseconds(lookAhead_.untilItMovesNs(monotonicNs())));
  } else if (count(Place::State::Free) < kPicturesAhead) {
    changed_.wait(lock);
  } else {
    // All of the look-ahead is damaged: the first picture to be shown is farther on.
    changed_.wait_for(lock, kDamagePause);
    lookAhead_.passAllBegun();
    vacatePassed();
  }
}

void HapPictures::read(Place& place, std::unique_lock<std::mutex>& lock) {
  place.readBeginNs = monotonicNs();
  place.slot = lookAhead_.beginRead(place.readBeginNs);
  place.abandoned = false;
  place.state = Place::State::Reading;
  const size_t movieFrame = timeline_.frameAt(place.slot);
  lock.unlock();
  const std::optional<std::string> damage =
      damageIn([&] { place.frame = movie_->readFrame(movieFrame, place.memory); });
  const int64_t endNs = monotonicNs();
  lock.lock();
  place.readEndNs = endNs;
  lookAhead_.endRead(endNs, !damage);
  if (damage) return vacateAsDamaged(place, *damage);
  if (movie_->readsDisk()) health_.addRead(place.frame.bytes.size(), endNs - place.readBeginNs, endNs);
  if (place.abandoned) {
    vacate(place);
  } else {
    submit(place);
  }
}

void HapPictures::reopenIfLost(std::unique_lock<std::mutex>& lock) {
  if (!reopening_.isDue(monotonicNs())) return;
  lock.unlock();
  movie_->reopen();
  lock.lock();
}

void HapPictures::submit(Place& place) {
  place.state = Place::State::Queued;
  const LookAhead::DecodeTimes times = lookAhead_.decodeTimes(place.slot, place.readEndNs);
  decodePool_->submit(place, times.deadlineNs, times.latestStartNs);
}

void HapPictures::decode(Place& place, HapFrameDecoder& decoder) noexcept {
  std::unique_lock lock(mutex_);
  if (place.abandoned || stopping_) return vacate(place);
  lock.unlock();
  const int64_t beginNs = monotonicNs();
  const std::optional<std::string> damage = damageIn([&] {
    const Picture& picture = place.picture->picture();
    if (background_ == nullptr) {
      movie_->decode(decoder, place.frame, picture, nullptr);
    } else {
      const PictureView behind = background_->picture();
      movie_->decode(decoder, place.frame, picture, &behind);
    }
  });
  const int64_t endNs = monotonicNs();
  lock.lock();
  if (damage) return vacateAsDamaged(place, *damage);
  lookAhead_.noteDecoded(endNs - beginNs);
  reopening_.noteGood();
  if (place.abandoned) return vacate(place);
  place.state = Place::State::Ready;
}

void HapPictures::drop(Place& place) noexcept {
  const std::lock_guard lock(mutex_);
  lookAhead_.noteDropped();
  if (!place.abandoned) lookAhead_.giveUp(place.slot, causeAfterReading(place, monotonicNs()));
  vacate(place);
}

void HapPictures::passTo(uint64_t slot) {
  lookAhead_.passTo(slot);
  vacatePassed();
}

void HapPictures::vacatePassed() {
  for (Place& place : places_) {
    if (place.state == Place::State::Free || place.slot >= lookAhead_.first()) continue;
    if (place.state == Place::State::Ready) {
      vacate(place);
    } else {
      place.abandoned = true;
    }
  }
}

void HapPictures::vacate(Place& place) {
  place.picture.reset();
  place.state = Place::State::Free;
  changed_.notify_one();
}

void HapPictures::vacateAsDamaged(Place& place, const std::string& damage) {
  reopening_.noteDamage(monotonicNs());
  // What is no longer waited for was not shown, so nothing was shown in its place.
  if (!place.abandoned) {
    health_.addDamage(damage);
    lookAhead_.giveUp(place.slot, LateCause::Damaged);
  }
  vacate(place);
}

LateCause HapPictures::causeOf(uint64_t slot, int64_t nowNs) const {
  if (const std::optional<LateCause> cause = lookAhead_.causeOfGivingUp(slot)) return *cause;
  for (const Place& place : places_) {
    if (place.slot != slot || place.abandoned) continue;
    if (place.state == Place::State::Reading) return LateCause::Disk;
    if (place.state == Place::State::Queued) return causeAfterReading(place, nowNs);
  }
  return lookAhead_.causeBeforeReading(nowNs);
}

LateCause HapPictures::causeAfterReading(const Place& place, int64_t nowNs) {
  return LookAhead::causeAfterReading(place.readBeginNs, place.readEndNs, nowNs);
}

HapPictures::Place* HapPictures::placeOf(uint64_t slot) {
  const auto place = std::find_if(places_.begin(), places_.end(), [&](const Place& other) {
    return other.state != Place::State::Free && other.slot == slot && !other.abandoned;
  });
  return place == places_.end() ? nullptr : &*place;
}

size_t HapPictures::count(Place::State state) const {
  return static_cast<size_t>(std::count_if(places_.begin(), places_.end(),
                                           [&](const Place& place) { return place.state == state; }));
}

}  // namespace whiteline
