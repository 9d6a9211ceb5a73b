import type { LossStage } from '../../../facts/loss';
import type { ChangeCode, LoadSample, MachineChange } from '../../../protocol/load';
import { type Carrier, summarise } from '../../load/window';
import type { Span } from '../counting/capture-counter';
import { firstSlotFrom } from '../counting/schedule';
import { SourceMark } from '../counting/slot-flags';
import type { RowSpan } from '../counting/spoilt-rows';
import type { StreamLedger } from '../counting/stream-ledger';
import type { DiskSpeed } from '../stream';

/** What was seen around a loss, as far as it was seen at all: null is not known. Percentages as in load samples. */
export interface LossFacts {
  stage: LossStage;
  frames: number;
  /** How many of the dropped frames the transport’s own counter reports as not fetched in time. */
  queued: number;
  /** Cause of a miss (`MissCause`). */
  missCause: number;
  /** For spoilt frames: where in the picture, if that is known. */
  rows: RowSpan | null;
  /** How many of its frames the run itself injected. */
  injected: number;
  /** After they were submitted: how many of them a remote sender says that it left out or spoilt itself. */
  saidInjected: number;
  /** From the first lost slot to the end of the last one, monotonic ns. */
  fromNs: number;
  toNs: number;
  /** Streams of the row whose frames are counted, and those of them that lost frames at the same instant. */
  streams: number;
  streamsTogether: number;
  /** Sender and receiver share this machine, and so its load. */
  oneMachine: boolean;
  /** The sender's machine is this one, whichever the receiver's is. */
  isSenderHere: boolean;
  /** Where the run has more than one: the machine that load and network are of, and those of the two ends. */
  machine?: string;
  senderMachine?: string;
  receiverMachine?: string;
  senderCpuPercent: number | null;
  receiverCpuPercent: number | null;
  busiestCorePercent: number | null;
  /** What our own processes took of this machine’s CPU, the kernel’s work for them left out. */
  ownCpuPercent: number | null;
  /** CPU that the hypervisor gave to others. */
  stealPercent: number | null;
  /** What changed on this machine; of links only where the streams leave it. */
  changes: readonly MachineChange[];
  /** When links were down, where the streams leave the machine, as far as losses of that time are known. */
  linksDown: readonly Span[];
  /** Steps of a remote sender's clock; `machine`: whose it was, where that has a name. */
  senderClockSteps: readonly { byMs: number; machine?: string }[];
  /** The sender was started again. */
  isRestarted: boolean;
  /** A mixer's programme showed another source just after it. */
  isAtCut: boolean;
  /** Another start of the sender follows this one, and no picture came after the last of these frames. */
  isAtEnd: boolean;
  /** At least one of our processes was checked, and none of them waited long for a processor. */
  sawProcesses: boolean;
  /** The process of ours that waited for a processor for half of the time or more. */
  starved: { role: string; machine?: string; seconds: number } | null;
  sendingStopped: boolean;
  /** A process of a remote sender, as it reports. */
  senderStopped: boolean;
  receivingStopped: boolean;
  /** The receiver's process had died and was not back. */
  receivingDied: boolean;
  /** The longest time without a load sample of this machine. */
  sampleGap: SampleGap;
  /** Longest call of the transport by which the sender sends. */
  longestCallNs: number;
  /** How long the connection was gone that was so in the time of the loss or 2 s around it, from when it broke to 2 s after the loss. */
  disconnectedNs: number;
  /** The same, to the end of the loss. */
  disconnectedThenNs: number;
  /** The connection was back 2 s after the loss, so it is known how long it was gone. */
  isConnectedAgain: boolean;
  /** Discovery no longer listed the source at some time of it. */
  wasUnlisted: boolean;
  /** When the connection broke that was gone then; null: it was there. */
  connectionBrokeNs: number | null;
  latePictures: { disk: number; decode: number; other: number };
  lateDisk: DiskSpeed;
  network: NetworkFacts;
}

/** A time without a load sample, and the machine's load over it. */
export interface SampleGap {
  lastedNs: number;
  /** The highest of the samples that contain the whole gap; such a sample reaches half a second beyond it. */
  cpuPercent: number | null;
}

export interface NetworkFacts {
  /** Traffic of the interfaces that carry the streams: during the loss, and the highest in the 20 s before it. */
  duringMbps: number | null;
  beforeMbps: number | null;
  /** On the way out of the machine, over a long loss, it hardly changed. */
  isSteady: boolean;
  fullestLink: LoadSample['fullestLink'];
  dropped: Counted;
  errors: Counted;
  retransmits: Counted;
}

/** How much a counter rose around a loss. */
interface Counted {
  count: number;
  /** It rose by far more than while nothing was lost; null: no second is known in which nothing was. */
  isUnusual: boolean | null;
}

/** How far before and after a loss the samples are read. */
export const aroundNs = 1e9;
/** A loss this long is judged by what was usual within it, a shorter one by the worst around it. */
const longLossNs = 2e9;
/** A second that lies within a loss for so long shows what happened in it. */
const mostlyNs = 0.5e9;
/** Clocks that were set, connections that were gone: so far from a loss they are still near. */
export const clockNs = 2e9;
/** More than this many times the usual value is unusual. */
const unusualTimes = 3;
/** A path that is too narrow, or that loses packets, makes this many retransmits a second; fewer prove little. */
const manyRetransmits = 20;
/** The traffic of this many samples is steady if the largest is at most `steadyTimes` times the smallest. */
const steadySamples = 4;
const steadyTimes = 1.05;
/** How far back the traffic before a loss is looked for. */
const beforeNs = 20e9;

/** Samples from 20 s before a loss to 2 s after it, and the next on both sides; they come in the order of time. */
export function samplesOf(samples: readonly LoadSample[], fromNs: number, toNs: number): LoadSample[] {
  const first = firstFrom(samples, fromNs - beforeNs);
  const end = firstFrom(samples, toNs + aroundNs + 1e9 + 1);
  return samples.slice(Math.max(0, first - 1), end + 1);
}

/** Samples are taken twice a second on each machine. */
const sameTimeNs = 0.25e9;

/** Samples of another machine with the frames that were lost then, as this console counted them: `ownSamples` say how many. */
export function withLosses(
  samples: readonly LoadSample[],
  ownSamples: readonly LoadSample[] = [],
): readonly LoadSample[] {
  if (ownSamples.length === 0) return samples;
  return samples.map((sample) => {
    if (sample.lostPerSecond !== null) return sample;
    const own = ownSamples[firstFrom(ownSamples, sample.atNs - sameTimeNs)];
    const isThen = own !== undefined && own.atNs <= sample.atNs + 2 * sameTimeNs;
    return { ...sample, lostPerSecond: isThen ? own.lostPerSecond : null };
  });
}

/** Index of the first sample that was taken at a moment or later. */
function firstFrom(samples: readonly LoadSample[], atNs: number): number {
  let [low, high] = [0, samples.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((samples[middle]?.atNs ?? 0) < atNs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Samples whose second touches the time of a loss, or up to 1 s around it. */
export function samplesAround(samples: readonly LoadSample[], fromNs: number, toNs: number): LoadSample[] {
  return samples.filter((sample) => sample.atNs >= fromNs - aroundNs && sample.atNs - 1e9 <= toNs + aroundNs);
}

/** Samples whose second lies within a loss by half at least. */
function samplesWithin(samples: readonly LoadSample[], fromNs: number, toNs: number): LoadSample[] {
  return samples.filter(({ atNs }) => Math.min(atNs, toNs) - Math.max(atNs - 1e9, fromNs) >= mostlyNs);
}

/**
 * Samples by which the load in a loss is judged. A full machine takes fewer of them in a long one than in the calm
 * seconds around it, which would outvote them.
 */
export function judgingSamples(samples: readonly LoadSample[], fromNs: number, toNs: number): LoadSample[] {
  return (isLong(fromNs, toNs) ? samplesWithin : samplesAround)(samples, fromNs, toNs);
}

export function isLong(fromNs: number, toNs: number): boolean {
  return toNs - fromNs >= longLossNs;
}

/** What was usual in a long loss, or the worst of a short one. */
export function usualOrWorst(values: (number | null)[], durationNs: number): number | null {
  const known = values.filter((value): value is number => value !== null).sort((a, b) => a - b);
  const index = durationNs >= longLossNs ? Math.floor((known.length - 1) / 2) : known.length - 1;
  return known[index] ?? null;
}

/** `samples`: those of `samplesOf`. */
export function networkFacts(
  samples: readonly LoadSample[],
  fromNs: number,
  toNs: number,
  carrier: Carrier,
): NetworkFacts {
  const traffic = (sample: LoadSample): number | null => sample[carrier];
  // Streams that do not leave the machine are not touched by what happens outside.
  const isInside = carrier === 'loopbackMbps';
  const near = samplesAround(samples, fromNs, toNs);
  const within = samplesWithin(samples, fromNs, toNs);
  const before = samples.filter((sample) => sample.atNs <= fromNs);
  const calm = before.filter((sample, index) => isCalm(sample) && isCalm(before[index + 2]));
  const counted = (pick: (sample: LoadSample) => number | null, least = 1): Counted =>
    countedIn(near.map(pick), calm.map(pick), least);
  const nothing = { count: 0, isUnusual: false };
  const links = near.flatMap(({ fullestLink }) => fullestLink ?? []);
  const use = (link: { mbps: number; linkMbps: number }): number => link.mbps / link.linkMbps;
  return {
    duringMbps: lowestOrUsual(within.map(traffic), toNs - fromNs),
    beforeMbps: summarise(before.map(traffic))?.max ?? null,
    isSteady: !isInside && isSteady(within.map(traffic)),
    fullestLink: isInside
      ? null
      : links.reduce<LoadSample['fullestLink']>(
          (most, link) => (most && use(most) >= use(link) ? most : link),
          null,
        ),
    dropped: isInside ? nothing : counted((sample) => sample.wireDropped),
    errors: isInside ? nothing : counted((sample) => sample.wireErrors),
    retransmits: counted((sample) => sample.tcpRetransmits, manyRetransmits),
  };
}

function isSteady(values: (number | null)[]): boolean {
  const known = values.filter((value) => value !== null);
  const least = Math.min(...known);
  return known.length >= steadySamples && least > 0 && Math.max(...known) <= steadyTimes * least;
}

/** What a sample reports as lost was lost in the second before its own. */
function isCalm(sample: LoadSample | undefined): boolean {
  return sample?.lostPerSecond === 0;
}

/** `least`: a second, from which on a rise can be unusual. */
function countedIn(near: (number | null)[], calm: (number | null)[], least: number): Counted {
  // Samples overlap, two to a second: every second one counts.
  const count = near.reduce<number>((sum, rise, index) => (index % 2 === 0 ? sum + (rise ?? 0) : sum), 0);
  const perSecond = summarise(near)?.max ?? 0;
  const usual = summarise(calm)?.mean ?? null;
  if (perSecond < least) return { count, isUnusual: false };
  return { count, isUnusual: usual === null ? null : perSecond > unusualTimes * usual };
}

/** What changed on this machine near a loss. A link that came back is one change with the moment when it went. */
export function changesNear(
  samples: readonly LoadSample[],
  fromNs: number,
  toNs: number,
  carrier: Carrier,
): MachineChange[] {
  const isNear = (change: MachineChange): boolean => {
    const reachNs = isOfClock(change.code) ? clockNs : aroundNs;
    return change.atNs >= fromNs - reachNs && change.atNs <= toNs + reachNs;
  };
  const end = firstFrom(samples, toNs + clockNs + 1e9);
  const near = samples
    .slice(firstFrom(samples, fromNs - clockNs), end)
    .flatMap(({ changes }) => changes)
    .filter(isNear);
  const isBack = ({ code, data: { name } }: MachineChange): boolean =>
    code === 'link-down' && near.some((other) => other.code === 'link-up' && other.data.name === name);
  const isOutside = carrier !== 'loopbackMbps';
  return near.filter(
    (change) => isOfClock(change.code) || (isOutside && !isBack(change) && !isUnused(change)),
  );
}

/** Less of the traffic, and no stream travelled there. */
const leastTrafficPercent = 1;

/** An interface that lost its link, and is known to have carried next to nothing before. */
export function isUnused({ data: { trafficPercent } }: MachineChange): boolean {
  return typeof trafficPercent === 'number' && trafficPercent < leastTrafficPercent;
}

export function isOfClock(code: ChangeCode): boolean {
  return code === 'wall-clock-step' || code === 'machine-suspended';
}

/** The longest time between two samples of the machine that touches the time of a loss. */
export function longestSampleGap(samples: readonly LoadSample[], fromNs: number, toNs: number): SampleGap {
  let longest: SampleGap = { lastedNs: 0, cpuPercent: null };
  for (const [index, sample] of samples.entries()) {
    const before = samples[index - 1];
    if (!before || sample.atNs < fromNs || before.atNs > toNs) continue;
    const lastedNs = sample.atNs - before.atNs;
    if (lastedNs <= longest.lastedNs) continue;
    // A sample compares two looks that have one between them: the gap lies in this sample and in the next.
    const holding = samples.slice(index, index + 2).map(({ cpuPercent }) => cpuPercent);
    longest = { lastedNs, cpuPercent: summarise(holding)?.max ?? null };
  }
  return longest;
}

/** Pictures that came late from the source between two moments. */
export function latePictures(
  { source }: StreamLedger,
  fromNs: number,
  toNs: number,
): LossFacts['latePictures'] {
  const late = { disk: 0, decode: 0, other: 0 };
  const last = firstSlotFrom(source.schedule, toNs);
  for (let slot = firstSlotFrom(source.schedule, fromNs); slot < last; slot++) {
    const marks = source.marksOf(slot);
    if (!(marks & SourceMark.LateSource)) continue;
    if (marks & SourceMark.Disk) late.disk += 1;
    else if (marks & SourceMark.Decode) late.decode += 1;
    else late.other += 1;
  }
  return late;
}

/** Seconds that lie only partly within a short loss carried more before or after it: the lowest is nearest. */
function lowestOrUsual(values: (number | null)[], durationNs: number): number | null {
  if (durationNs >= longLossNs) return usualOrWorst(values, durationNs);
  const known = values.filter((value): value is number => value !== null);
  return known.length > 0 ? Math.min(...known) : null;
}
