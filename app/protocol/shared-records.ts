import { InjectedFault, LateCause, MissCause } from './records';
import type { StandstillSums } from './standstill';

/**
 * A sender's own records as they travel over the NDI metadata channel:
 * <whiteline_records version="2" sender="1" source="4711" start="123" offset="456" boot="…" overflowed="0" stopped="1200" starved="80" measured="123" cpu="12.5" others="3.1"
 * submitted="10-12,14" begun="833000,33340,33301,66690" missed-blocked="13" late-disk="12" injected-skip="14"/>
 * Frame numbers as ranges, each in one list but for the late and the injected ones, which were submitted or missed too. `begun`: when the
 * send calls began, the first in µs after `start`, each other one after the one before.
 * What is empty or not measured is left out. Two machines with the same boot id are one machine, with one monotonic clock.
 */
export interface SharedRecords {
  senderId: number;
  sourceId: number;
  /** t0 of the schedule, ns of the sender's monotonic clock. */
  startNs: number;
  /** From that clock to the sender's wall time, µs. */
  wallOffsetUs: number;
  /** Empty if the sender does not report on which machine it is: then it is another one. */
  boot: string;
  /** Records that the sender itself lost since its start: its numbers are not complete then. */
  overflowed: number;
  /** How long the sender's process stood still since it began; 0 of an earlier version. */
  standstills: StandstillSums;
  /** Null: no new load, or one of an earlier version. */
  load: SharedLoad | null;
  /** Frame numbers modulo 2³², rising within a message but for the wrap. */
  submitted: Uint32Array;
  /** When the send call of each of them began, µs after `startNs`; NaN where that is not reported. */
  beginUs: Float64Array;
  /** `cause`: one of `MissCause`. */
  missed: CausedFrames;
  /** Slots whose picture was not ready. `cause`: one of `LateCause`. */
  late: CausedFrames;
  /** Submitted by the records, and left out or spoilt by a fault that the sender itself put in. `cause`: one of `InjectedFault`. */
  injected: CausedFrames;
}

/** How busy the sender's machine was in one second; null: not measured there. */
export interface SharedLoad {
  /** End of that second, ns of the sender's monotonic clock. */
  measuredNs: number;
  cpuPercent: number | null;
  gpuPercent: number | null;
  /** CPU that none of the sender's own processes took. */
  othersPercent: number | null;
  /** CPU that the hypervisor gave to others. */
  stealPercent: number | null;
}

/** Columns of equal length. */
export interface CausedFrames {
  frameNumber: Uint32Array;
  cause: Uint8Array;
}

const missedAttributes: ReadonlyMap<string, number> = new Map([
  ['missed-skipped', MissCause.SourceSkipped],
  ['missed-blocked', MissCause.SendBlocked],
  ['missed-late', MissCause.SenderLate],
  ['missed-injected', MissCause.Injected],
]);

const lateAttributes: ReadonlyMap<string, number> = new Map([
  ['late-disk', LateCause.Disk],
  ['late-decode', LateCause.Decode],
  ['late-damaged', LateCause.Damaged],
  ['late-command', LateCause.Command],
]);

const injectedAttributes: ReadonlyMap<string, number> = new Map([
  ['injected-skip', InjectedFault.Skipped],
  ['injected-spoilt', InjectedFault.Spoilt],
]);

/** Figures of `SharedLoad`, by their attributes. */
const loadAttributes = {
  cpu: 'cpuPercent',
  gpu: 'gpuPercent',
  others: 'othersPercent',
  stolen: 'stealPercent',
} as const;

/** Frames in a list that we cannot name would be counted nowhere. */
function isUnknownList(name: string): boolean {
  return name.startsWith('missed-') && !missedAttributes.has(name);
}

/** Longer ones are not read. */
export const maxSharedCharacters = 16_384;
/** Of all lists of one message: more than half a minute of any rate is nonsense. */
export const maxSharedFrames = 10_000;
/** This many fit into one message, even if no two of them are consecutive. */
export const mostFramesToShare = 600;

export function sharedRecordsXml(records: SharedRecords): string {
  const attributes: [string, string | number][] = [
    ['version', 2],
    ['sender', records.senderId],
    ['source', records.sourceId],
    ['start', Math.round(records.startNs)],
    ['offset', Math.round(records.wallOffsetUs)],
    ['boot', records.boot],
    ['overflowed', records.overflowed],
  ];
  const { stoppedMs, starvedMs } = records.standstills;
  if (stoppedMs > 0) attributes.push(['stopped', Math.round(stoppedMs)]);
  if (starvedMs > 0) attributes.push(['starved', Math.round(starvedMs)]);
  if (records.load) attributes.push(...loadTexts(records.load));
  if (records.submitted.length > 0) {
    attributes.push(['submitted', rangesText(records.submitted)]);
    if (records.beginUs.every(Number.isFinite)) attributes.push(['begun', timesText(records.beginUs)]);
  }
  const lists = [
    ...byCause(records.missed, missedAttributes),
    ...byCause(records.late, lateAttributes),
    ...byCause(records.injected, injectedAttributes),
  ];
  for (const [name, frames] of lists) if (frames.length > 0) attributes.push([name, rangesText(frames)]);
  return `<whiteline_records ${attributes.map(([name, value]) => `${name}="${value}"`).join(' ')}/>`;
}

/** Null for anything that is not such a message, or not a sound one: these are foreign bytes. */
export function parseSharedRecords(xml: string): SharedRecords | null {
  const attributes = parseAttributes(xml);
  if (attributes?.get('version') !== '2') return null;
  const whole = (name: string, largest: number): number => {
    const text = attributes.get(name) ?? '';
    const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    return Math.abs(value) <= largest ? value : Number.NaN;
  };
  const sum = (name: string): number => (attributes.has(name) ? whole(name, Number.MAX_SAFE_INTEGER) : 0);
  const lists = new Lists(attributes);
  const submitted = Uint32Array.from(lists.take('submitted'));
  const beginUs = parseTimes(attributes.get('begun'), submitted.length);
  if (!beginUs) return null;
  const records: SharedRecords = {
    senderId: whole('sender', 0xffff),
    sourceId: whole('source', 0xffff),
    startNs: whole('start', Number.MAX_SAFE_INTEGER),
    wallOffsetUs: whole('offset', Number.MAX_SAFE_INTEGER),
    boot: attributes.get('boot') ?? '',
    overflowed: whole('overflowed', Number.MAX_SAFE_INTEGER),
    standstills: { stoppedMs: sum('stopped'), starvedMs: sum('starved') },
    load: attributes.has('measured')
      ? parseLoad(attributes, whole('measured', Number.MAX_SAFE_INTEGER))
      : null,
    submitted,
    beginUs,
    missed: lists.takeCaused(missedAttributes),
    late: lists.takeCaused(lateAttributes),
    injected: lists.takeCaused(injectedAttributes),
  };
  const { senderId, sourceId, startNs, wallOffsetUs, overflowed, load } = records;
  const counts = [senderId, startNs, overflowed, ...Object.values(records.standstills)];
  const numbers = [...counts, sourceId, wallOffsetUs, ...Object.values(load ?? {})];
  const isSound = lists.areSound && !numbers.some((value) => Number.isNaN(value));
  return isSound && sourceId > 0 && counts.every((count) => count >= 0) ? records : null;
}

/**
 * Null unless all of the text is this one element, with each attribute once. Attributes that a later version adds are skipped, but for
 * lists of frames.
 */
function parseAttributes(xml: string): Map<string, string> | null {
  if (xml.length > maxSharedCharacters) return null;
  const body = /^<whiteline_records ([^<>]*)\/>$/.exec(xml)?.[1];
  if (body === undefined) return null;
  const attributes = new Map<string, string>();
  const pattern = /([a-z-]{1,20})="([^"]*)"(?: |$)/y;
  while (pattern.lastIndex < body.length) {
    const [, name, value] = pattern.exec(body) ?? [];
    if (name === undefined || value === undefined) return null;
    if (isUnknownList(name) || attributes.has(name)) return null;
    attributes.set(name, value);
  }
  return attributes;
}

/** The lists of one message, which together must not be longer than a message may be. */
class Lists {
  areSound = true;
  private left = maxSharedFrames;

  constructor(private readonly attributes: ReadonlyMap<string, string>) {}

  /** Empty when it is not sound. */
  take(name: string): number[] {
    const text = this.attributes.get(name);
    const frames: number[] = [];
    for (const range of text === undefined ? [] : text.split(',')) {
      const parts = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(range);
      const first = Number(parts?.[1]);
      const last = Number(parts?.[2] ?? parts?.[1]);
      this.left -= last - first + 1;
      if (!parts || last < first || last > 0xffffffff || this.left < 0) {
        this.areSound = false;
        return [];
      }
      for (let frame = first; frame <= last; frame++) frames.push(frame);
    }
    return frames;
  }

  takeCaused(causes: ReadonlyMap<string, number>): CausedFrames {
    const frames: number[] = [];
    const frameCauses: number[] = [];
    for (const [name, cause] of causes) {
      for (const frame of this.take(name)) {
        frames.push(frame);
        frameCauses.push(cause);
      }
    }
    return { frameNumber: Uint32Array.from(frames), cause: Uint8Array.from(frameCauses) };
  }
}

/** Undefined: not reported, NaN for each. Null when it is not sound. */
function parseTimes(text: string | undefined, length: number): Float64Array | null {
  if (text === undefined) return new Float64Array(length).fill(Number.NaN);
  const parts = text.split(',');
  let timeUs = 0;
  const times = Float64Array.from(parts, (part) => {
    timeUs += /^\d{1,16}$/.test(part) ? Number(part) : Number.NaN;
    return timeUs;
  });
  return timeUs <= Number.MAX_SAFE_INTEGER && times.length === length ? times : null;
}

function loadTexts(load: SharedLoad): [string, string | number][] {
  const figures = Object.entries(loadAttributes).flatMap(([name, field]): [string, string][] => {
    const percent = load[field];
    return percent === null ? [] : [[name, percentText(percent)]];
  });
  return [['measured', Math.round(load.measuredNs)], ...figures];
}

function parseLoad(attributes: ReadonlyMap<string, string>, measuredNs: number): SharedLoad {
  const percent = (name: keyof typeof loadAttributes): number | null => parsePercent(attributes.get(name));
  return {
    ...{ measuredNs, cpuPercent: percent('cpu'), gpuPercent: percent('gpu') },
    ...{ othersPercent: percent('others'), stealPercent: percent('stolen') },
  };
}

/** Undefined: not reported, null. NaN: not sound. */
function parsePercent(text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = /^\d{1,3}(?:\.\d)?$/.test(text) ? Number(text) : Number.NaN;
  return value <= 100 ? value : Number.NaN;
}

function percentText(percent: number): string {
  return Math.min(100, Math.max(0, percent)).toFixed(1);
}

function byCause(frames: CausedFrames, causes: ReadonlyMap<string, number>): [string, Uint32Array][] {
  return [...causes].map(([name, cause]) => [
    name,
    frames.frameNumber.filter((_, index) => frames.cause[index] === cause),
  ]);
}

/** Whole µs; a time before the one before it is reported as the same. */
function timesText(timesUs: Float64Array): string {
  let reportedUs = 0;
  return Array.from(timesUs, (timeUs) => {
    const stepUs = Math.max(0, Math.round(timeUs) - reportedUs);
    reportedUs += stepUs;
    return stepUs;
  }).join(',');
}

function rangesText(frames: Uint32Array): string {
  const ranges: string[] = [];
  let first = 0;
  for (let index = 0; index < frames.length; index++) {
    const current = frames[index] ?? 0;
    if (frames[index + 1] === current + 1) continue;
    const start = frames[first] ?? 0;
    ranges.push(start === current ? `${current}` : `${start}-${current}`);
    first = index + 1;
  }
  return ranges.join(',');
}
