import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { wordsOf } from '../../facts/reason-words';
import type { StreamsRow } from '../../facts/stream-row';
import { parseFaults } from '../../protocol/faults';
import { SimulatedClock } from '../../testing/simulated-clock';
import { SimulatedHosts } from '../../testing/simulated-hosts';
import { SimulatedLoad } from '../../testing/simulated-load';
import { temporaryFolder } from '../../testing/temporary-folder';
import { reportDataOf, roomOfRun } from '../reports/html';
import { readRun } from '../sessions/read-run';
import { OwnSend } from './own-send';
import { profileOf } from './prepared-run';

const folder = temporaryFolder();
const source = { source: 'white-line', format: '640x360@30', pixelFormat: 'uyvy' as const };
let clock: SimulatedClock;
let hosts: SimulatedHosts;
let abort: AbortController;
let sends = 0;

beforeEach(() => {
  clock = new SimulatedClock();
  hosts = new SimulatedHosts(clock);
  abort = new AbortController();
});
afterEach(() => abort.abort());

/** Sends for a time in which a test does something, and ends. */
async function sent(faults: string, streams: number, meanwhile: (send: OwnSend) => Promise<void>) {
  const rows: StreamsRow[] = [];
  const said: string[] = [];
  const send = new OwnSend({
    ...{ application: hosts, clock, appFolder: '.', profile: profileOf(undefined), rowSeconds: 10 },
    ...{ faults: parseFaults(faults), signal: abort.signal, sampleLoad: new SimulatedLoad().sample },
    onEvent: (kind, text) => void said.push(`${kind}: ${text}`),
    ...{ onViews: () => undefined, onMeasuring: () => undefined },
    onRow: (row) => void rows.push(row),
    onProblem: (error) => {
      throw error;
    },
  });
  const out = join(folder, `run-${++sends}`);
  const settings = { source, streams, name: 'KAM', audio: false, limitSeconds: Number.POSITIVE_INFINITY };
  const asked = (played: unknown) => ({
    ...{ experiment: 'send', title: 'Send', parameters: {}, command: 'whiteline send' },
    environment: { topology: 'sender only' as const, source: played },
  });
  const ready = await clock.until(send.start());
  // What this machine is, is found out in real time.
  await clock.busy(send.open(ready, { ...settings, record: { folder: out, asked } }));
  const over = send.run.run(Number.POSITIVE_INFINITY);
  await meanwhile(send);
  abort.abort();
  await clock.until(over);
  const { verdict, reason } = send.run.outcome(send.names);
  await send.end('finished', verdict, reason);
  await send.close();
  return { rows, said, reason, verdict, out, run: readRun(out) };
}

test('a sending process that dies makes its row INVALID, and the faults that were still due are named everywhere', async () => {
  const faults = 'miss:30-34; skip:90-92; black:450-452; repeat:500';
  const { rows, said, reason, verdict, out, run } = await sent(faults, 2, async () => {
    await clock.pass(13_000);
    hosts.die('sending');
    await clock.pass(12_000);
  });
  const died = 'our sending process was killed (SIGKILL)';
  const lost = 'faults of KAM 2 were still due and were not put in (black:450-452; repeat:500)';
  expect(rows.map((row) => row.verdict)).toEqual(['FAIL', 'INVALID', 'PASS', 'PASS']);
  expect(wordsOf(rows[1]?.reason ?? [])).toContain(`; ${died}; ${lost}`);
  expect(said.slice(-3)).toEqual([
    `fault-lost: ${lost}`,
    'host-died: The sending process was killed (SIGKILL)',
    'host-started: The sending process was started again',
  ]);
  // The row that decided is another one.
  expect([verdict, reason]).toEqual(['FAIL', expect.stringMatching(/^row 0 .*KAM 2: the sender missed 5 /)]);
  const end = `; 1 other row was INVALID; row 1: ${died}; row 1: ${lost}; all rows: 5 frames missed by the sender`;
  expect(reason.endsWith(end), reason).toBe(true);
  expect(run.reason).toBe(reason);
  const { notes } = reportDataOf(out, run, roomOfRun);
  expect(notes.map(({ text }) => text)).toEqual(
    expect.arrayContaining([lost, 'The sending process was killed (SIGKILL)']),
  );
});

test('a death in a row that is too short to be written by itself is written all the same', async () => {
  const { rows, reason, verdict } = await sent('', 1, async () => {
    await clock.pass(10_100);
    hosts.die('sending');
    await clock.pass(10_000);
  });
  expect(rows.map(({ label, verdict: one }) => [label, one])).toEqual([
    ['', 'PASS'],
    ['short row', 'INVALID'],
    ['', 'PASS'],
  ]);
  expect([verdict, reason]).toEqual([
    'INVALID',
    expect.stringMatching(/^row 1 \(1 stream\): .*our sending process was killed \(SIGKILL\)/),
  ]);
});
