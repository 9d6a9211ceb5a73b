import { MachineClock } from '../engine/machines/machine-clock';
import type { MachineTime } from '../engine/machines/machine-release-clock';
import type { Clock } from '../protocol/clock';
import type { HostCommand, RecordsMessage } from '../protocol/host';
import { audioRecords, clockRecords } from '../protocol/record-block';
import { captures, misses, range, sourceRecords, submits } from './columns';

const secondNs = 1e9;
const aheadNs = 3600e9;

/**
 * Another machine with one stream, and this one, in made-up time: each has a monotonic clock of its own, which stands still while it
 * sleeps. Its host reports the truth; a test that wants otherwise changes the message.
 */
export class MachineFarAway implements MachineTime {
  readonly name = 'render-1';
  readonly clock = new MachineClock();
  readonly wallOffsetUs = 0;
  /** Since this machine was started. */
  private passedNs = 60e9;
  private readonly slept = { ours: 0, theirs: 0 };
  private startedNs: number;
  private nextSlot = 0;

  constructor(
    private readonly ppm = 0,
    private readonly framesPerSecond = 60,
  ) {
    this.learn(2);
    this.startedNs = this.theirNs;
  }

  /** This machine's. */
  readonly ours: Pick<Clock, 'monotonicNs' | 'uptimeSeconds'> = {
    monotonicNs: () => this.passedNs - this.slept.ours,
    uptimeSeconds: () => this.passedNs / secondNs,
  };

  /** What a console asked its host for. */
  get asked(): HostCommand[] {
    const rate = { rateNumerator: this.framesPerSecond, rateDenominator: 1 };
    const options = { kind: 'white-line', width: 640, height: 360, pixelFormat: 'uyvy', ...rate } as const;
    return [
      { name: 'openSource', sourceId: 1, codeSourceId: 4711, options },
      { name: 'openSender', streamId: 1, sourceId: 1, senderName: 'far', shareRecords: true, audio: true },
      { name: 'openReceiver', streamId: 1, sourceName: 'far', askTime: false },
    ];
  }

  get theirNs(): number {
    return aheadNs + (this.passedNs - this.slept.theirs) * (1 + this.ppm / 1e6);
  }

  /** Asks it for its time, four times a second. */
  learn(seconds: number, everySeconds = 0.25): void {
    for (let at = 0; at < seconds; at += everySeconds) {
      this.passedNs += everySeconds * secondNs;
      this.ask();
    }
  }

  /** Nothing is asked nor answered meanwhile. */
  pass(seconds: number): void {
    this.passedNs += seconds * secondNs;
  }

  sleep(who: 'ours' | 'theirs', seconds: number): void {
    this.passedNs += seconds * secondNs;
    this.slept[who] += seconds * secondNs;
  }

  ask(): void {
    const askedNs = this.ours.monotonicNs();
    const heardNs = this.theirNs;
    this.clock.add({ askedNs, heardNs, repliedNs: heardNs, answeredNs: askedNs + 1000 });
  }

  /** Its source begins now, however long ago it was asked for. */
  begin(): void {
    this.startedNs = this.theirNs;
  }

  /** All since the message before: of ten slots one was missed. */
  report(): RecordsMessage {
    const { theirNs: atNs, framesPerSecond } = this;
    const due = Math.floor(((atNs - this.startedNs) / secondNs) * framesPerSecond);
    const slots = range(this.nextSlot, due - 1);
    this.nextSlot = due;
    const nsOf = (slot: number): number => this.startedNs + (slot * secondNs) / framesPerSecond;
    const sent = slots.filter((slot) => slot % 10 !== 9);
    const times = Float64Array.from(slots, nsOf);
    return {
      ...{ type: 'records', atNs, processIds: [], traffic: null },
      standstills: [{ kind: 'starved', fromNs: atNs - 60e6, toNs: atNs }],
      sources: [
        {
          sourceId: 1,
          status: {
            ...{
              state: 'running',
              sourceId: 4711,
              startNs: this.startedNs,
              message: '',
              commandProcessId: 0,
            },
            ...{ diskRateMBps: null, damagedPictures: 0, damage: '', realTimeFinding: '' },
          },
          records: { ...sourceRecords(slots), slotNs: times, releaseNs: times.slice() },
        },
      ],
      senders: [
        {
          ...{ streamId: 1, firstSlot: 0, connections: 1, metadataDropped: 0, realTimeFinding: '' },
          submits: submits(sent, { beginNs: nsOf }),
          misses: {
            ...misses(slots.filter((slot) => slot % 10 === 9)),
            atNs: Float64Array.from(
              slots.filter((slot) => slot % 10 === 9),
              nsOf,
            ),
          },
        },
      ],
      receivers: [
        {
          ...{ streamId: 1, sourceName: 'M (far)', address: '192.0.2.7:5961', openedNs: this.startedNs },
          ...{ listed: true, time: clockRecords.empty(), metadata: [], soundPeakDbfs: null },
          captures: captures(
            sent.map((slot) => ({ captureNs: nsOf(slot) + 1e6, frameNumber: slot, releaseTimeUs: 1 })),
          ),
          audio: { ...audioRecords.empty() },
          status: {
            ...{
              connections: 1,
              width: 640,
              height: 360,
              rateNumerator: framesPerSecond,
              rateDenominator: 1,
            },
            ...{ frameFormat: 'progressive', fourCC: 'UYVY', picturesCaptured: due, lastCaptureNs: atNs },
            ...{ transportDropped: 0, transportQueueDepth: 0, metadataDropped: 0 },
          },
        },
      ],
    };
  }
}
