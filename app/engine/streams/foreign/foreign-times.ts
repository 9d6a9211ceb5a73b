/** When the sender says that a frame is, and when it came here. */
export interface FrameTime {
  /** By the clock that is followed. */
  timeUs: number;
  captureNs: number;
  /** The frame before once more. */
  isRepeat?: boolean;
}

/** What a picture is by its times. late: later frames have overtaken it. repeat: the previous frame once more, with a new time. */
export type FrameEvent =
  | { event: 'new' | 'clock-step' | 'late' | 'repeat'; frame: FrameTime }
  | { event: 'duplicate' | 'second-field' | 'no-time' };

/** After this many pictures without a timestamp, the sender counts as one that gives none. */
const picturesToReport = 24;
/** Times are remembered for duplicates that come late. */
const keptTimes = 128;
/** A time that lies farther back is no late frame: the sender's clock was set back. */
const farthestBackUs = 500e3;
/** If a frame arrives this much earlier than any before it, it was not sent late: the clock was set forward. */
const forwardStepUs = 250e3;
/** The quickest way of this many frames is the one to compare with; the clocks' drift is forgotten with older ones. */
const keptWays = 600;
/** Both fields of a frame may be stamped one after the other. */
const fieldPairUs = 1000;
/** If this share of the pictures has the time of the previous one, two fields share one timestamp. */
const pairedShare = 0.3;

/**
 * Sorts pictures by the times that the sender gave them: the SDK's timestamps, or the timecodes of a sender that stamps
 * nothing.
 */
export class FrameTimes {
  /** Null: neither of them is given. */
  clock: 'timestamp' | 'timecode' | null = 'timestamp';
  private stamped = false;
  private coded = false;
  private pictures = 0;
  private sharedTimes = 0;
  private recent: number[] = [];
  private newest: FrameTime | null = null;
  private newestTimecodeUs = Number.NaN;
  private timecodeSteps = 0;
  private fieldsOfNewest = 0;
  /** The least time on the way so far, in the difference of the two clocks, of this block of frames and the one before. */
  private quickestUs = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  private waysInBlock = 0;
  private changedClock = false;

  /** `fields`: each picture is one field. */
  constructor(private fields: boolean) {}

  /** Fields with times of their own are followed one by one. */
  get countsFields(): boolean {
    return this.fields && !this.paired;
  }

  restart(fields: boolean): void {
    this.fields = fields;
    this.pictures = 0;
    this.sharedTimes = 0;
    this.timecodeSteps = 0;
  }

  add(timestampUs: number, timecodeUs: number, captureNs: number): FrameEvent {
    this.pictures += 1;
    this.chooseClock(timestampUs, timecodeUs);
    const timeUs = this.clock === 'timecode' ? timecodeUs : timestampUs;
    const sameTimecode = this.sameTimecode(timecodeUs);
    if (Number.isNaN(timeUs) || this.clock === null) return { event: 'no-time' };
    const frame = { timeUs, captureNs };
    const { newest } = this;
    if (!newest) return this.take(frame, 'new');
    if (this.changedClock) return this.step(frame);
    if (this.sharesTime(timeUs, newest.timeUs)) return this.shared();
    if (this.isForwardStep(frame) || newest.timeUs - timeUs > farthestBackUs) return this.step(frame);
    if (this.recent.includes(timeUs)) return { event: 'duplicate' };
    if (sameTimecode) return { event: 'repeat', frame: { ...frame, isRepeat: true } };
    if (timeUs < newest.timeUs) {
      this.remember(timeUs);
      return { event: 'late', frame };
    }
    return this.take(frame, 'new');
  }

  private get paired(): boolean {
    return this.fields && this.sharedTimes > pairedShare * this.pictures;
  }

  /**
   * For fields, uses the timecodes: the SDK stamps the second field of a frame with the time of the next one. If a sender gives no
   * timecodes, the SDK makes them.
   */
  private chooseClock(timestampUs: number, timecodeUs: number): void {
    if (!Number.isNaN(timestampUs)) this.stamped = true;
    if (!Number.isNaN(timecodeUs)) this.coded = true;
    const isEarly = this.pictures < picturesToReport;
    const hasTimecodes = this.coded && (this.timecodeSteps > 0 || isEarly);
    const prefersTimecodes = this.fields && this.coded && (isEarly || 2 * this.timecodeSteps > this.pictures);
    const before = this.clock;
    if (prefersTimecodes) this.clock = 'timecode';
    else if (this.stamped || isEarly) this.clock = 'timestamp';
    else this.clock = hasTimecodes ? 'timecode' : null;
    if (this.clock !== before) this.changedClock = true;
  }

  /** If timecodes never advance, equal timecodes prove nothing. */
  private sameTimecode(timecodeUs: number): boolean {
    const same = timecodeUs === this.newestTimecodeUs;
    if (!same && !Number.isNaN(timecodeUs) && !Number.isNaN(this.newestTimecodeUs)) this.timecodeSteps += 1;
    this.newestTimecodeUs = timecodeUs;
    return same && !this.fields && this.timecodeSteps > this.pictures / 2;
  }

  private sharesTime(timeUs: number, newestUs: number): boolean {
    const distanceUs = Math.abs(timeUs - newestUs);
    return this.fields ? distanceUs < fieldPairUs : distanceUs === 0;
  }

  private shared(): FrameEvent {
    this.sharedTimes += 1;
    this.fieldsOfNewest += 1;
    const isSecond = this.fields && this.fieldsOfNewest === 2;
    // Until it is known that fields come in pairs, the second one may as well be one.
    return {
      event: isSecond && (this.paired || this.pictures < picturesToReport) ? 'second-field' : 'duplicate',
    };
  }

  private isForwardStep({ timeUs, captureNs }: FrameTime): boolean {
    return captureNs / 1000 - timeUs < Math.min(...this.quickestUs) - forwardStepUs;
  }

  private step(frame: FrameTime): FrameEvent {
    this.recent = [];
    this.quickestUs = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    return this.take(frame, 'clock-step');
  }

  private take(frame: FrameTime, event: 'new' | 'clock-step'): FrameEvent {
    this.changedClock = false;
    this.newest = frame;
    this.fieldsOfNewest = 1;
    this.remember(frame.timeUs);
    const wayUs = frame.captureNs / 1000 - frame.timeUs;
    this.quickestUs[0] = Math.min(this.quickestUs[0] as number, wayUs);
    if (++this.waysInBlock >= keptWays) {
      this.quickestUs = [Number.POSITIVE_INFINITY, this.quickestUs[0] as number];
      this.waysInBlock = 0;
    }
    return { event, frame };
  }

  private remember(timeUs: number): void {
    this.recent.push(timeUs);
    if (this.recent.length > keptTimes) this.recent.shift();
  }
}
