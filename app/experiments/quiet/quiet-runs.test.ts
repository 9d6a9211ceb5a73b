import { expect, test } from 'vitest';
import type { NativeHost } from '../../engine/capabilities/native-host';
import type { MachineBooks } from '../../engine/machine/machine-books';
import { WhitelineError } from '../../protocol/errors';
import type { HostCommand } from '../../protocol/host';
import { madeUpBooks } from '../../testing/made-up-books';
import { SimulatedClock } from '../../testing/simulated-clock';
import { stopped } from '../../testing/standstills';
import { temporaryFolder } from '../../testing/temporary-folder';
import { rowTexts, secondsOf, type WholeRunOrder, wholeRun } from '../../testing/whole-run';
import { quiet } from './quiet';

const folder = temporaryFolder();

/** How late the thread wakes, ms, beside 0.05 ms: by slot. */
type Lateness = Readonly<Record<number, number>>;

interface Order extends Omit<Partial<WholeRunOrder>, 'books'> {
  /** Of each row. */
  late?: readonly Lateness[];
  books?: Partial<MachineBooks> & { busyPercent?: number };
  /** The host dies in this row. */
  diesIn?: number;
}

/** Rows of 10 s, on a machine that is hardly busy. */
function rested(more: Record<string, unknown> = {}, { late = [], books = {}, diesIn, ...order }: Order = {}) {
  const clock = new SimulatedClock();
  let row = -1;
  const request: NativeHost['request'] = async (command: HostCommand, onProgress, signal) => {
    row += 1;
    onProgress?.({ framesDone: 0, frames: 1 });
    if (command.name === 'scoreProcessor') {
      await clock.sleep(500, signal);
      const cores = [0, 1].map((core) => ({
        core,
        integerMsteps: 150 - core,
        memoryMBps: 9000,
        notMeasured: '',
      }));
      return { state: 'done', cores, coresInAll: 2, problemMessage: '' };
    }
    if (command.name !== 'measureWakeUps') throw new Error(`no one asks for ${command.name}`);
    const { slots, rateNumerator } = command.options;
    const fromNs = clock.monotonicNs();
    await clock.sleep((1000 * slots) / rateNumerator, signal);
    if (row === diesIn) throw new WhitelineError({ code: 'HOST_DIED', message: 'the stream host died' });
    const length = Math.min(slots, Math.floor(((clock.monotonicNs() - fromNs) * rateNumerator) / 1e9));
    const lateMs = (slot: number): number => late[row]?.[slot] ?? 0.05;
    const woken: number[] = [];
    for (let slot = 0; slot < length; slot += 1 + Math.floor((lateMs(slot) * rateNumerator) / 1000))
      woken.push(slot);
    return {
      slot: Uint32Array.from(woken),
      latenessNs: Float64Array.from(woken, (slot) => 1e6 * lateMs(slot)),
      ...{ firstSlotNs: fromNs, overflowed: 0 },
    };
  };
  const usual = { busyPercent: 1, ...books };
  return wholeRun({
    ...{ experiment: quiet, clock, folder, native: { request }, books: madeUpBooks(clock, usual), ...order },
    parameters: { ratesHz: [60, 1000], holdSeconds: 10, ...more },
  });
}

test('a row for each rate and repeat, the scores at the end, their times, figures and the verdict', async () => {
  const { outcome, run, page, incidents, progress } = await rested({ repeats: 2 });
  expect(rowTexts(run).map(([label, verdict]) => [label, verdict])).toEqual([
    ...[1, 2].flatMap((repeat) =>
      [60, 1000].map((rate) => [`wake-ups at ${rate} Hz, repeat ${repeat}`, 'PASS']),
    ),
    ['scores of the cores', 'PASS'],
  ]);
  expect(secondsOf(run)).toEqual([0, 10, 20, 30].map((from) => [from, from + 10]).concat([[40, 40.5]]));
  expect(run.rows[1]?.figures).toMatchObject({
    ...{ measuredSeconds: 10, 'quiet.wakeUps': 10_000, 'quiet.slotsOverslept': 0, 'quiet.wakeUpsLate': 0 },
    ...{ 'quiet.wakeUpLatenessMs.max': expect.closeTo(0.05, 3), 'quiet.stolenMaxPercent': 0 },
    // No program is known of this machine.
    'quiet.othersCpuPercent': null,
  });
  expect(run.rows[4]?.figures).toMatchObject({ 'quiet.integerMsteps': 149, 'quiet.memoryMBps': 9000 });
  expect(run.rows[4]?.subjects.map(({ name }) => name)).toEqual(['core 0', 'core 1']);
  expect(outcome).toMatchObject({ state: 'finished', verdict: 'PASS' });
  expect(page.run.rows).toEqual(run.rows);
  expect(incidents).toEqual([]);
  expect(progress.map(({ step, steps, remainingSeconds }) => [step, steps, remainingSeconds])).toEqual([
    ...[40, 30, 20, 10, 0].map((left, index) => [index + 1, 5, left]),
    [5, 5, 0],
  ]);
});

test('wake-ups that come late are counted and fail the run; governors that slow processors down are advice', async () => {
  const late = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [100 * index, 12.5]));
  const { run } = await rested({}, { late: [{}, late], books: { governors: () => ['powersave'] } });
  expect(run.rows.map(({ verdict }) => verdict)).toEqual(['PASS', 'FAIL', 'PASS']);
  expect(run.rows[1]?.figures).toMatchObject({
    'quiet.wakeUpsLate': 40,
    'quiet.wakeUpLatenessMs.max': expect.closeTo(12.5, 1),
  });
  expect(rowTexts(run)[1]?.[2]).toContain('powersave');
  expect(run.verdict).toBe('FAIL');
});

/** A thread that was due 3 s after the start and woke 0.219 s later. */
const heldUntil: Lateness = { 180: 219 };

test('our own process stopped for less than it may: the row is INVALID, and no machine is blamed', async () => {
  const role = 'content';
  const { run } = await rested(
    { ratesHz: [60] },
    { late: [heldUntil], standstills: [stopped({ role }, 3.02, 3.22)] },
  );
  expect(rowTexts(run)[0]).toEqual([
    ...['wake-ups at 60 Hz', 'INVALID'],
    expect.stringMatching(
      /^1 of .*, not judged: our content process was stopped for at least 0\.200 s: .* prove nothing about the machine$/,
    ),
  ]);
  const other = await rested(
    { ratesHz: [60] },
    { late: [heldUntil], standstills: [stopped({ role: 'engine' }, 3.02, 3.22), stopped({ role }, 4, 4.2)] },
  );
  expect(rowTexts(other.run)[0]).toEqual([
    'wake-ups at 60 Hz',
    'FAIL',
    expect.stringContaining('no governor or hypervisor was seen'),
  ]);
});

test('processors that slowed down for heat, and time that the hypervisor took, are named', async () => {
  let looks = 0;
  const clockless = {
    cpu: null,
    interrupts: null,
    contextSwitches: null,
    processes: null,
    frequenciesMhz: [],
  };
  const look: MachineBooks['look'] = (clock) => ({
    ...clockless,
    atNs: clock.monotonicNs(),
    throttles: looks++,
  });
  const { run } = await rested(
    { ratesHz: [60] },
    { books: { look }, sampleAt: () => ({ cpuStealPercent: 9 }) },
  );
  expect(run.rows[0]?.verdict).toBe('FAIL');
  // The books are read when the row begins, once a second within it, and at its end.
  expect(run.rows[0]?.figures).toMatchObject({ 'quiet.throttles': 10, 'quiet.stolenMaxPercent': 9 });
});

test('the server of the fleet is the busiest program by what it is, not by its program', async () => {
  let ticks = 0;
  const look: MachineBooks['look'] = (clock) => {
    const times = { name: 'nats-server', ticks: ticks++, parentId: 1, childTicks: 0, startTicks: 0 };
    return {
      ...{ atNs: clock.monotonicNs(), cpu: null, interrupts: null, contextSwitches: null },
      ...{ processes: new Map([[7, { ...times, threads: 1, stopped: false }]]) },
      ...{ frequenciesMhz: [], throttles: null },
    };
  };
  const { run } = await rested({ ratesHz: [60] }, { books: { look, fleetServerId: () => 7 } });
  expect(run.rows[0]?.figures['quiet.busiestProgram']).toBe('the fleet’s own server');
});

test('a host that dies ends the run, and rows until then are kept', async () => {
  const { outcome, run, incidents } = await rested({}, { diesIn: 1 });
  expect(outcome).toMatchObject({ state: 'failed', verdict: null, problem: { code: 'HOST_DIED' } });
  expect(run.rows.map(({ verdict }) => verdict)).toEqual(['PASS']);
  expect(incidents).toEqual([['problem', 'the stream host died']]);
});

test('Ctrl-C in the middle of a row: it has the wake-ups so far and says how long it was, and nothing follows it', async () => {
  const { outcome, run } = await rested({}, { stopAfterMs: 14_500 });
  expect(outcome).toMatchObject({ state: 'aborted', verdict: null });
  expect(run.rows).toHaveLength(2);
  expect(run.rows[1]?.figures).toMatchObject({ 'quiet.wakeUps': 4500, measuredSeconds: 4.5 });
  expect(rowTexts(run)[1]?.[2]).toMatch(/stopped after 4\.5 of 10 s$/);
});
