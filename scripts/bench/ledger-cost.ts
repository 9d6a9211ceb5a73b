import { sleep } from '../../app/engine/clock';
import { SharedClock } from '../../app/engine/streams/clocks/release-clock';
import { slotNs } from '../../app/engine/streams/counting/schedule';
import { ActiveSource, Stream } from '../../app/engine/streams/stream';
import { StreamViews } from '../../app/engine/streams/stream-view';
import type { ReceiverReport, SenderReport, SourceReport } from '../../app/protocol/host';
import type { CaptureRecords } from '../../app/protocol/records';
import { defaultThresholds } from '../../app/protocol/thresholds';

/**
 * What it costs the engine to follow many streams of 60 frames a second: records arrive ten times a second as columns,
 * are counted in the ledgers with a row open, and the console's views are made four times a second. Beside it, in turns:
 * the same captures as JSON with one object per record, parsed and no more. The times in the records are made up and move
 * with the drains; the drains themselves are paced by the clock, so that caches and collector see what they see in a run.
 * Prints one JSON object.
 */

interface Options {
  streams: number;
  seconds: number;
}

const rate = { numerator: 60, denominator: 1 };
const schedule = { startNs: 1e9, rate };
const drainSeconds = 0.1;
const framesPerDrain = 6;
/** Views are made at every second and every third drain in turn: four a second. */
const drainsWithViews = new Set([0, 2, 5, 7]);
/** Code is compiled by then, and the live counts look back as far as they ever do. */
const warmUpDrains = 300;
/** Ours and the peer take turns after so many drains. */
const drainsPerTurn = 20;
/** One frame in so many is lost on its way. */
const lossInterval = 1009;
const sourceId = 7;
const latencyNs = 3e6;
const samplesPerBlock = 800;

/** One stream's reports, whose columns are filled anew for each drain. */
class Reports {
  readonly receiver: ReceiverReport;
  readonly sender: SenderReport;
  /** Columns that hold all frames of a drain; the report's are shorter where one was lost. */
  private readonly all = captureColumns(framesPerDrain);
  private readonly allButOne = captureColumns(framesPerDrain - 1);

  constructor(private readonly streamId: number) {
    const empty = new Float64Array(0);
    this.receiver = {
      streamId,
      sourceName: `MACHINE (Whiteline ${streamId})`,
      address: '127.0.0.1:5961',
      openedNs: schedule.startNs,
      listed: true,
      captures: this.all,
      audio: {
        captureNs: new Float64Array(framesPerDrain),
        frameNumber: new Float64Array(framesPerDrain),
        samples: new Uint32Array(framesPerDrain).fill(samplesPerBlock),
        sampleRate: new Uint32Array(framesPerDrain).fill(48_000),
        burstNs: new Float64Array(framesPerDrain),
        overflowed: 0,
      },
      time: { askedUs: empty, heardUs: empty, repliedUs: empty, answeredUs: empty, overflowed: 0 },
      status: {
        ...{ connections: 1, width: 1920, height: 1080, frameFormat: 'progressive', fourCC: 'UYVY' },
        ...{ rateNumerator: rate.numerator, rateDenominator: rate.denominator },
        ...{ picturesCaptured: 0, lastCaptureNs: 0, sdkDropped: 0, sdkQueueDepth: 0 },
      },
      metadata: [],
    };
    this.sender = {
      ...{ streamId, firstSlot: 0, connections: 1 },
      submits: {
        frameNumber: new Uint32Array(framesPerDrain),
        beginNs: new Float64Array(framesPerDrain),
        previousCallNs: new Float64Array(framesPerDrain).fill(200_000),
        overflowed: 0,
      },
      misses: {
        ...{ frameNumber: new Uint32Array(0), atNs: empty, cause: new Uint8Array(0), overflowed: 0 },
      },
    };
  }

  fill(first: number): void {
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
      const atNs = slotNs(schedule, slot);
      submits.frameNumber[index] = slot;
      submits.beginNs[index] = atNs + 100_000;
      // Everybody's clock trembles.
      const captureNs = atNs + latencyNs + ((slot * 7919 + this.streamId * 104_729) % 400_000);
      audio.captureNs[index] = captureNs - 500_000;
      audio.frameNumber[index] = slot;
      audio.burstNs[index] = slot % 60 === 0 ? captureNs - 500_000 : Number.NaN;
      if (slot === lost) continue;
      captures.captureNs[at] = captureNs;
      captures.frameNumber[at] = slot;
      captures.releaseTimeUs[at] = Math.round(atNs / 1000);
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
    sdkDropped: new Uint32Array(length),
    overflowed: 0,
  };
}

function sourceReport(): SourceReport {
  return {
    sourceId: 1,
    status: {
      ...{ state: 'running' as const, sourceId, startNs: schedule.startNs, message: '', commandProcessId: 0 },
      ...{ diskRateMBps: null, damagedPictures: 0, damage: '' },
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

/** CPU time of this process, all its threads, µs. */
function cpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

class Engine {
  readonly spentUs = { receivers: 0, senders: 0, views: 0 };
  private readonly source = new ActiveSource(1, 'white-line', { width: 1920, height: 1080, rate });
  private readonly sourceReport = sourceReport();
  private readonly streams: Stream[];
  private readonly reports: Reports[];
  private readonly console = new StreamViews({
    ...{ thresholds: defaultThresholds, warmUpSeconds: 2, wallOffsetUs: 0, senderElsewhere: false },
    noteEvent: () => undefined,
  });
  private drains = 0;

  constructor(streams: number) {
    const ids = Array.from({ length: streams }, (_, index) => index + 1);
    this.streams = ids.map((id) => new Stream(id, `Whiteline ${id}`, this.source, schedule.startNs, 0));
    this.reports = ids.map((id) => new Reports(id));
    this.drain();
    for (const { ledger } of this.streams) {
      if (!(ledger?.identity.clock instanceof SharedClock)) throw new Error('A stream is not followed');
      ledger.openRange(120);
    }
  }

  drain(): void {
    const first = this.drains * framesPerDrain;
    const nowNs = slotNs(schedule, first + framesPerDrain);
    this.fillSource(first);
    for (const report of this.reports) report.fill(first);
    this.spentUs.senders += spent(() => {
      this.source.add(this.sourceReport);
      this.streams.forEach((stream, index) => {
        const report = this.reports[index];
        if (report) stream.addSenderReport(report.sender);
      });
    });
    this.spentUs.receivers += spent(() => {
      this.streams.forEach((stream, index) => {
        const report = this.reports[index];
        if (report) stream.addReceiverReport(report.receiver, nowNs);
      });
    });
    if (drainsWithViews.has(this.drains % 10)) {
      this.spentUs.views += spent(() => this.console.views(this.streams, nowNs));
    }
    this.drains += 1;
  }

  /** Lost frames in the views, so that nobody measures a ledger that counts nothing. */
  get lost(): number {
    const nowNs = slotNs(schedule, this.drains * framesPerDrain);
    return this.console.views(this.streams, nowNs).reduce((sum, view) => sum + view.lostTotal, 0);
  }

  /** What the newest drain captured, one object per record. */
  asTexts(): string[] {
    return this.reports.map(({ receiver: { captures } }) => {
      const { overflowed, ...columns } = captures;
      const names = Object.keys(columns) as (keyof typeof columns)[];
      const records = Array.from(captures.captureNs, (_, index) =>
        Object.fromEntries(names.map((name) => [name, columns[name][index]])),
      );
      return JSON.stringify({ records, overflowed });
    });
  }

  private fillSource(first: number): void {
    const { records } = this.sourceReport;
    for (let index = 0; index < framesPerDrain; index++) {
      records.frameNumber[index] = first + index;
      records.slotNs[index] = slotNs(schedule, first + index);
      records.releaseNs[index] = slotNs(schedule, first + index) + 50_000;
    }
  }
}

function spent(work: () => void): number {
  const beforeUs = cpuUs();
  work();
  return cpuUs() - beforeUs;
}

function parse(texts: string[]): number {
  let records = 0;
  for (const text of texts) records += (JSON.parse(text) as { records: unknown[] }).records.length;
  return records;
}

async function measure({ streams, seconds }: Options): Promise<Record<string, unknown>> {
  const engine = new Engine(streams);
  for (let drain = 0; drain < warmUpDrains; drain++) {
    engine.drain();
    parse(engine.asTexts());
  }
  Object.assign(engine.spentUs, { receivers: 0, senders: 0, views: 0 });
  let parseUs = 0;
  const drains = Math.round(seconds / drainSeconds);
  for (let drain = 0; drain < 2 * drains; drain++) {
    const isOurs = Math.floor(drain / drainsPerTurn) % 2 === 0;
    if (isOurs) engine.drain();
    else {
      const texts = engine.asTexts();
      parseUs += spent(() => parse(texts));
    }
    await sleep(drainSeconds * 1000);
  }
  const { lost, spentUs } = engine;
  if (lost === 0) throw new Error('The frames that were left out were not counted as lost');
  const percentOf = (us: number): number => (100 * us) / 1e6 / (drains * drainSeconds);
  return {
    receiversPercent: percentOf(spentUs.receivers),
    sendersPercent: percentOf(spentUs.senders),
    viewsPercent: percentOf(spentUs.views),
    parsePercent: percentOf(parseUs),
    lost,
  };
}

void measure(JSON.parse(process.argv[2] ?? '{}') as Options).then(
  (result) => process.stdout.write(`${JSON.stringify(result)}\n`),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
