import type { ReceiverReport } from '../protocol/host';
import { clockRecords } from '../protocol/record-block';
import type { AudioRecords, Fault } from '../protocol/records';
import { type Capture, captures, range } from './columns';
import type { Fate, SimulatedSender } from './simulated-sender';
import { latencyNs } from './test-stream';

/** From the moment at which both ends are there to the first picture. */
const connectNs = 100e6;
/** Pictures that wait in the SDK while nothing is fetched. */
const sdkQueue = 2;
const repeatedAfterNs = 1e5;
const samplesPerSecond = 48_000;

interface Sound {
  captureNs: number;
  slot: number;
  hasBurst: boolean;
}

/** A receiver that takes each frame of its sender 2 ms after its slot, but for those of which a test says otherwise. */
export class SimulatedReceiver {
  /** Beside those of the sender. */
  readonly fates = new Map<number, Fate>();
  transportDropped = 0;
  private sender: SimulatedSender | null = null;
  /** First slot of the sender of which nothing is known yet. */
  private next = 0;
  private foundNs = 0;
  private pictures: Capture[] = [];
  private sounds: Sound[] = [];
  private captured = 0;
  private lastCaptureNs = 0;

  constructor(
    readonly streamId: number,
    readonly sourceName: string,
    readonly openedNs: number,
    private readonly wallOffsetUs: number,
  ) {}

  /** All that came by then. `sender`: who sends under its source's name now. */
  drain(nowNs: number, sender: SimulatedSender | null): ReceiverReport {
    if (this.sender) this.follow(this.sender, Math.min(nowNs, this.sender.endedNs));
    if (sender && sender !== this.sender) this.connect(sender);
    if (this.sender) this.follow(this.sender, nowNs);
    const isConnected = this.isConnected(nowNs, sender);
    const came = <One extends { captureNs: number }>(all: readonly One[]): [One[], One[]] => [
      all.filter(({ captureNs }) => captureNs <= nowNs).sort((one, other) => one.captureNs - other.captureNs),
      all.filter(({ captureNs }) => captureNs > nowNs),
    ];
    const [pictures, later] = came(this.pictures);
    const [sounds, soundsLater] = came(this.sounds);
    this.pictures = later;
    this.sounds = soundsLater;
    this.captured += pictures.length;
    this.lastCaptureNs = pictures.at(-1)?.captureNs ?? this.lastCaptureNs;
    const { streamId, sourceName, openedNs, captured, lastCaptureNs, transportDropped } = this;
    const rate = this.sender?.source.schedule.rate ?? { numerator: 0, denominator: 1 };
    const isFound = this.sender !== null;
    return {
      ...{ streamId, sourceName: isFound ? sourceName : '', address: isFound ? '127.0.0.1:5961' : '' },
      ...{
        openedNs: isFound ? Math.max(openedNs, this.foundNs) : 0,
        listed: sender !== null,
        metadata: [],
        soundPeakDbfs: null,
      },
      ...{ captures: captures(pictures), audio: this.audio(sounds), time: clockRecords.empty() },
      status: {
        ...{
          connections: isConnected ? 1 : 0,
          width: captured > 0 ? 640 : 0,
          height: captured > 0 ? 360 : 0,
        },
        ...{ rateNumerator: rate.numerator, rateDenominator: rate.denominator },
        ...{ frameFormat: 'progressive', fourCC: 'UYVY', picturesCaptured: captured, lastCaptureNs },
        ...{ transportDropped, transportQueueDepth: 0, metadataDropped: 0 },
      },
    };
  }

  isConnected(nowNs: number, sender: SimulatedSender | null): boolean {
    return sender !== null && sender === this.sender && nowNs >= this.foundNs + connectNs;
  }

  /** It fetches nothing from the capture of the first slot until one slot after the last: the SDK keeps the newest pictures. */
  stall({ first, last }: Pick<Fault, 'first' | 'last'>): void {
    const waiting = range(first + 1, last);
    const kept = waiting.slice(-sdkQueue);
    for (const slot of waiting)
      this.fates.set(
        slot,
        kept.includes(slot) ? { delayNs: (last + 1 - slot) * this.periodNs } : { lost: 'in the queue' },
      );
  }

  private get periodNs(): number {
    return this.sender?.periodNs ?? 0;
  }

  private connect(sender: SimulatedSender): void {
    this.sender = sender;
    this.foundNs = Math.max(this.openedNs, sender.openedNs);
    this.next = Math.max(sender.firstSlot, sender.source.slotAfter(this.foundNs + connectNs));
  }

  private follow(sender: SimulatedSender, untilNs: number): void {
    const { source } = sender;
    for (; source.ns(this.next) <= untilNs; this.next++) this.take(sender, this.next);
  }

  private take({ source, streamId, hasSound, fates }: SimulatedSender, slot: number): void {
    const fate = { ...fates.get(slot), ...this.fates.get(slot) };
    if (fate.missed !== undefined) return;
    const captureNs = source.ns(slot) + latencyNs + (fate.delayNs ?? 0);
    const { rate } = source.schedule;
    if (hasSound)
      this.sounds.push({
        captureNs,
        slot,
        hasBurst: slot % Math.round(rate.numerator / rate.denominator) === 0,
      });
    if (fate.lost === 'in the queue') this.transportDropped += 1;
    if (fate.lost !== undefined) return;
    const picture: Capture = {
      ...{ frameNumber: slot % 2 ** 32, captureNs, sourceId: source.codeId, senderId: streamId },
      ...{ status: fate.status, transportDropped: this.transportDropped },
      releaseTimeUs: (source.ns(slot) / 1000 + this.wallOffsetUs) % 2 ** 48,
    };
    this.pictures.push(picture);
    if (fate.isRepeated) this.pictures.push({ ...picture, captureNs: captureNs + repeatedAfterNs });
  }

  private audio(sounds: readonly Sound[]): AudioRecords {
    const samples = Math.round((samplesPerSecond * this.periodNs) / 1e9);
    return {
      captureNs: Float64Array.from(sounds, ({ captureNs }) => captureNs),
      frameNumber: Float64Array.from(sounds, ({ slot }) => slot),
      samples: new Uint32Array(sounds.length).fill(samples),
      sampleRate: new Uint32Array(sounds.length).fill(samplesPerSecond),
      burstNs: Float64Array.from(sounds, ({ captureNs, hasBurst }) => (hasBurst ? captureNs : Number.NaN)),
      overflowed: 0,
    };
  }
}
