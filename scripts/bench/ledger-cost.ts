import { machineClock } from '../../app/engine/clock';
import { SharedClock } from '../../app/engine/streams/clocks/release-clock';
import { slotNs } from '../../app/engine/streams/counting/schedule';
import { ActiveSource, Stream } from '../../app/engine/streams/stream';
import { StreamViews } from '../../app/engine/streams/stream-view';
import { beatMs } from '../../app/protocol/beat';
import { defaultThresholds } from '../../app/protocol/thresholds';
import { fillSource, Reports, sourceReport, spent } from './made-up-reports';

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
const drainSeconds = beatMs / 1000;
const framesPerDrain = 15;
const drains = { startNs: 1e9, wallOffsetUs: 0, rate, framesPerDrain };
/** Code is compiled by then, and the live counts look back as far as they ever do. */
const warmUpDrains = 120;
/** Ours and the peer take turns after this many drains. */
const drainsPerTurn = 8;
class Engine {
  readonly spentUs = { receivers: 0, senders: 0, views: 0 };
  private readonly source = new ActiveSource(1, 'white-line', { width: 1920, height: 1080, rate });
  private readonly sourceReport = sourceReport(drains);
  private readonly streams: Stream[];
  private readonly reports: Reports[];
  private readonly console = new StreamViews({
    ...{ thresholds: defaultThresholds, warmUpSeconds: 2, wallOffsetUs: 0, isSenderRemote: false },
    noteEvent: () => undefined,
    set: { deaths: 0, lost: false, standstills: () => [] },
    clock: machineClock,
  });
  private drains = 0;

  constructor(streams: number) {
    const ids = Array.from({ length: streams }, (_, index) => index + 1);
    this.streams = ids.map((id) => new Stream(id, `Whiteline ${id}`, this.source, drains.startNs, 0));
    this.reports = ids.map((id) => new Reports(id, drains));
    this.drain();
    for (const { ledger } of this.streams) {
      if (!(ledger?.identity.clock instanceof SharedClock)) throw new Error('A stream is not followed');
      ledger.openRange(120);
    }
  }

  drain(): void {
    const first = this.drains * framesPerDrain;
    const nowNs = slotNs(drains, first + framesPerDrain);
    fillSource(this.sourceReport, first, drains);
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
    this.spentUs.views += spent(() => this.console.views(this.streams, nowNs));
    this.drains += 1;
  }

  /** Lost frames in the views, so that no ledger is measured that counts nothing. */
  get lost(): number {
    const nowNs = slotNs(drains, this.drains * framesPerDrain);
    return this.console.views(this.streams, nowNs).reduce((sum, view) => sum + (view.lostTotal ?? 0), 0);
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
    await machineClock.sleep(drainSeconds * 1000);
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
