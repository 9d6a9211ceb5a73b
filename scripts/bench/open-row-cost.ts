import { machineClock } from '../../app/engine/clock';
import { samplesWithin } from '../../app/engine/load/window';
import { slotNs } from '../../app/engine/streams/counting/schedule';
import { RowMeter } from '../../app/engine/streams/rows/row-meter';
import { ActiveSource, Stream } from '../../app/engine/streams/stream';
import type { LoadSample } from '../../app/protocol/load';
import { defaultThresholds } from '../../app/protocol/thresholds';
import { loadSample } from '../../app/testing/load-sample';
import { type Drains, fillSource, Reports, sourceReport, spent } from './made-up-reports';

/**
 * What the view of an open row of many streams costs in its first and in its last hour: the records of each second are
 * counted as fast as the machine can, by a clock that is set and not waited for, and then a look is taken at the row as a ramp does
 * (what was lost, and how busy the machine is) and as a window is shown it. Prints one JSON object.
 */

interface Options {
  streams: number;
  hours: number;
}

const rate = { numerator: 30, denominator: 1 };
const drains: Drains = { startNs: 1e9, wallOffsetUs: 0, rate, framesPerDrain: 30 };
const hourSeconds = 3600;
/** Code is compiled by then. */
const warmUpSeconds = 120;
/** Between the hours that are compared the row is shown less often: what is done once is done all the same. */
const shownEverySeconds = 10;

function measure({ streams: count, hours }: Options): Record<string, unknown> {
  const source = new ActiveSource(1, 'white-line', { width: 1920, height: 1080, rate });
  const report = sourceReport(drains);
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const ends = ids.map((id) => ({
    stream: new Stream(id, `Whiteline ${id}`, source, drains.startNs, 0),
    reports: new Reports(id, drains),
  }));
  const samples: LoadSample[] = [];
  let second = 0;
  const pass = (): number => {
    const first = second * drains.framesPerDrain;
    const nowNs = slotNs(drains, first + drains.framesPerDrain);
    fillSource(report, first, drains);
    source.add(report);
    for (const { stream, reports } of ends) {
      reports.fill(first);
      stream.addSenderReport(reports.sender);
      stream.addReceiverReport(reports.receiver, nowNs);
    }
    for (const beforeNs of [0.5e9, 0])
      samples.push(loadSample({ atNs: nowNs - beforeNs, cpuPercent: 20 + ((second * 7919) % 400) / 10 }));
    second += 1;
    return nowNs;
  };
  const fromNs = pass();
  const set = { deaths: 0, lost: false, standstills: () => [], flush: () => Promise.resolve() };
  const options = {
    set,
    thresholds: defaultThresholds,
    wallOffsetUs: 0,
    clock: machineClock,
    samples: () => samples,
  };
  const streams = ends.map(({ stream }) => stream);
  const meter = new RowMeter(options, 1, streams, fromNs);
  const looks = { firstUs: [] as number[], lastUs: [] as number[] };
  const rows = { firstUs: [] as number[], lastUs: [] as number[] };
  let lost = 0;
  const seconds = hours * hourSeconds;
  while (second < seconds) {
    const nowNs = pass();
    const lookUs = spent(() => {
      for (const frames of meter.lostFrames(nowNs).values()) lost += frames;
      samplesWithin(samples, nowNs - 2e9, nowNs);
    });
    const isFirst = second > warmUpSeconds && second <= hourSeconds;
    const isLast = second > seconds - hourSeconds;
    if (isFirst) looks.firstUs.push(lookUs);
    if (isLast) looks.lastUs.push(lookUs);
    if (!isFirst && !isLast && second % shownEverySeconds !== 0) continue;
    const rowUs = spent(() => meter.preview(nowNs));
    if (isFirst) rows.firstUs.push(rowUs);
    if (isLast) rows.lastUs.push(rowUs);
  }
  if (lost === 0) throw new Error('The frames that were left out were not counted as lost');
  return { looks, rows, residentMb: process.memoryUsage.rss() / 1e6 };
}

try {
  process.stdout.write(`${JSON.stringify(measure(JSON.parse(process.argv[2] ?? '{}') as Options))}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
