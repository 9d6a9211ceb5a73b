import { slotNs } from '../../app/engine/streams/counting/schedule';
import { framesPerSecond, type Rate } from '../../app/protocol/format';
import type { ReceiverReport, SenderReport, SourceReport } from '../../app/protocol/host';
import { clockRecords, missRecords } from '../../app/protocol/record-block';
import type { CaptureRecords } from '../../app/protocol/records';

/** Reports of hosts whose frames and times are made up, for benchmarks of what follows them. */

/** One frame in this many is lost on its way. */
const lossInterval = 1009;
const sourceId = 7;
const latencyNs = 3e6;

/** What a source plays and since when, and how many of its frames a report has. */
export interface Drains {
  startNs: number;
  /** Wall clock minus monotonic clock, µs. */
  wallOffsetUs: number;
  rate: Rate;
  framesPerDrain: number;
}

/** One stream's reports, whose columns are filled anew for each drain. */
export class Reports {
  readonly receiver: ReceiverReport;
  readonly sender: SenderReport;
  /** Columns that hold all frames of a drain; the report's are shorter where one was lost. */
  private readonly all: CaptureRecords;
  private readonly allButOne: CaptureRecords;

  constructor(
    private readonly streamId: number,
    private readonly drains: Drains,
  ) {
    const { startNs, rate, framesPerDrain } = drains;
    this.all = captureColumns(framesPerDrain);
    this.allButOne = captureColumns(framesPerDrain - 1);
    this.receiver = {
      streamId,
      sourceName: `MACHINE (Whiteline ${streamId})`,
      address: '127.0.0.1:5961',
      openedNs: startNs,
      listed: true,
      soundPeakDbfs: null,
      captures: this.all,
      audio: {
        captureNs: new Float64Array(framesPerDrain),
        frameNumber: new Float64Array(framesPerDrain),
        samples: new Uint32Array(framesPerDrain).fill(Math.round(48_000 / framesPerSecond(rate))),
        sampleRate: new Uint32Array(framesPerDrain).fill(48_000),
        burstNs: new Float64Array(framesPerDrain),
        overflowed: 0,
      },
      time: clockRecords.empty(),
      status: {
        ...{ connections: 1, width: 1920, height: 1080, frameFormat: 'progressive', fourCC: 'UYVY' },
        ...{ rateNumerator: rate.numerator, rateDenominator: rate.denominator },
        ...{
          picturesCaptured: 0,
          lastCaptureNs: 0,
          transportDropped: 0,
          transportQueueDepth: 0,
          metadataDropped: 0,
        },
      },
      metadata: [],
    };
    this.sender = {
      ...{ streamId, firstSlot: 0, connections: 1, metadataDropped: 0, realTimeFinding: '' },
      submits: {
        frameNumber: new Uint32Array(framesPerDrain),
        beginNs: new Float64Array(framesPerDrain),
        previousCallNs: new Float64Array(framesPerDrain).fill(200_000),
        overflowed: 0,
      },
      misses: missRecords.empty(),
    };
  }

  fill(first: number): void {
    const { rate, wallOffsetUs, framesPerDrain } = this.drains;
    const perSecond = Math.round(framesPerSecond(rate));
    const lost = Array.from({ length: framesPerDrain }, (_, index) => first + index).find(
      (slot) => (slot * 64 + this.streamId) % lossInterval === 0,
    );
    const { submits } = this.sender;
    const { audio } = this.receiver;
    const captures = lost === undefined ? this.all : this.allButOne;
    this.receiver.captures = captures;
    let at = 0;
    for (let index = 0; index < framesPerDrain; index++) {
      const slot = first + index;
      const atNs = slotNs(this.drains, slot);
      submits.frameNumber[index] = slot;
      submits.beginNs[index] = atNs + 100_000;
      // Everybody's clock trembles.
      const captureNs = atNs + latencyNs + ((slot * 7919 + this.streamId * 104_729) % 400_000);
      audio.captureNs[index] = captureNs - 500_000;
      audio.frameNumber[index] = slot;
      audio.burstNs[index] = slot % perSecond === 0 ? captureNs - 500_000 : Number.NaN;
      if (slot === lost) continue;
      captures.captureNs[at] = captureNs;
      captures.frameNumber[at] = slot;
      captures.releaseTimeUs[at] = Math.round(atNs / 1000 + wallOffsetUs) % 2 ** 48;
      captures.senderId[at++] = this.streamId;
    }
  }
}

function captureColumns(length: number): CaptureRecords {
  return {
    captureNs: new Float64Array(length),
    sourceId: new Uint16Array(length).fill(sourceId),
    frameNumber: new Uint32Array(length),
    releaseTimeUs: new Float64Array(length),
    timestampUs: new Float64Array(length),
    timecodeUs: new Float64Array(length),
    status: new Uint8Array(length),
    pictureClass: new Uint8Array(length),
    codeHealth: new Float32Array(length).fill(0.99),
    senderId: new Uint16Array(length),
    firstSpoiltRow: new Uint16Array(length),
    lastSpoiltRow: new Uint16Array(length),
    linePlaces: new Uint16Array(length).fill(64),
    lineWitnesses: new Uint16Array(length).fill(60),
    transportDropped: new Float64Array(length),
    overflowed: 0,
  };
}

/** All frames of its source were there in time. */
export function sourceReport({ startNs, framesPerDrain }: Drains): SourceReport {
  return {
    sourceId: 1,
    status: {
      ...{ state: 'running' as const, sourceId, startNs, message: '', commandProcessId: 0 },
      ...{ diskRateMBps: null, damagedPictures: 0, damage: '', realTimeFinding: '' },
    },
    records: {
      frameNumber: new Uint32Array(framesPerDrain),
      slotNs: new Float64Array(framesPerDrain),
      releaseNs: new Float64Array(framesPerDrain),
      state: new Uint8Array(framesPerDrain),
      lateCause: new Uint8Array(framesPerDrain),
      overflowed: 0,
    },
  };
}

export function fillSource({ records }: SourceReport, first: number, drains: Drains): void {
  for (let index = 0; index < drains.framesPerDrain; index++) {
    records.frameNumber[index] = first + index;
    records.slotNs[index] = slotNs(drains, first + index);
    records.releaseNs[index] = slotNs(drains, first + index) + 50_000;
  }
}

/** CPU time of this process, all its threads, µs. */
function cpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** CPU time that some work takes, µs. */
export function spent(work: () => void): number {
  const beforeUs = cpuUs();
  work();
  return cpuUs() - beforeUs;
}
