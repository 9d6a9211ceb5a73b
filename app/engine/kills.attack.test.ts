import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { attackCount, attackSeed } from '../testing/attack';
import { killAll, uniqueName, WhitelineCommand } from '../testing/command';
import { type RunRow, readNamedRun } from '../testing/named-rows';
import { Random } from '../testing/random';
import { beginServedRun } from '../testing/served-run';
import { temporaryFolder } from '../testing/temporary-folder';
import { readEvents, readSamples } from './sessions/read-run';

const kills = attackCount('WHITELINE_ATTACK_KILLS', 5);
/** What lives while a run is recorded, and is killed at a random moment of it. */
const root = temporaryFolder();
const parts = ['engine', 'sending host', 'receiving host', 'serve', 'archive'] as const;
/** A flush and a sample, and what a busy machine adds. */
const mostLostMs = 2000;

const plan = Array.from({ length: kills }, (_, number) => ({
  number: number + 1,
  part: parts[number % parts.length] ?? parts[0],
  afterMs: new Random(attackSeed + number).whole(500, 3500),
}));

test.each(plan)(
  'kill $number: $part after $afterMs ms',
  { tags: 'machine' },
  async ({ number, part, afterMs }) => {
    const where = `seed ${attackSeed}, kill ${number}`;
    if (part === 'serve' || part === 'archive') await killServed(part, afterMs, where);
    else await killRun(part, afterMs, where);
  },
);

/** A run of the command line: its process is the engine. */
async function killRun(part: 'engine' | 'sending host' | 'receiving host', afterMs: number, where: string) {
  const out = join(root, uniqueName());
  const command = new WhitelineCommand([
    ...['run', 'stream-load', '--format', '320x180@30', '--max-streams', '2', '--name', uniqueName()],
    // It lasts longer than until the latest kill, also where it ends after its first stream.
    ...['--hold', '3s', '--warm-up', '300ms', '--stop-on', 'sender-miss', '--invalid-retries', '0'],
    ...['--out', out],
  ]);
  await vi.waitFor(() => expect(readSamples(out).length).toBeGreaterThan(0));
  await passTime(afterMs);
  const killedMs = Date.now();
  if (part === 'engine') command.signal('SIGKILL');
  else killAll(command.processes(` ${part.split(' ')[0]}`));
  const { exitCode } = await command.ended;
  expectReadBack(out, killedMs, where);
  if (part === 'engine')
    expect(readNamedRun(out), where).toMatchObject({ state: 'interrupted', verdict: null });
  else {
    expect([0, 1, 3, 5], where).toContain(exitCode);
    const { rows, verdict } = readNamedRun(out);
    const hit = rows.filter((row) => isWithin(row, killedMs));
    for (const row of hit) expect(row.verdict, where).toBe('INVALID');
    if (hit.length > 0) expect(verdict, where).not.toBe('PASS');
    expect(
      readEvents(out).map(({ kind }) => kind),
      where,
    ).toContain('host-died');
  }
  await command.leavesNothingBehind();
}

/** Between two rows, where streams come and warm up, nothing is measured. Its edges belong to either. */
function isWithin({ startedAt, endedAt }: RunRow, atMs: number): boolean {
  return Date.parse(startedAt) + 100 < atMs && atMs < Date.parse(endedAt) - 100;
}

async function killServed(part: 'serve' | 'archive', afterMs: number, where: string): Promise<void> {
  const runsFolder = join(root, uniqueName(), 'runs');
  const { served, operator, runFolder: folder } = await beginServedRun(runsFolder);
  const archive = await served.open('archive');
  await archive.ask({ name: 'listRuns' });
  await passTime(afterMs);
  const killedMs = Date.now();
  if (part === 'serve') served.command.signal('SIGKILL');
  else {
    killAll(served.command.processes('archive.cjs'));
    await vi.waitFor(() => expect(archive.socket.readyState).toBe(archive.socket.CLOSED));
    // The next page that asks starts it again; the run goes on all the while.
    const again = await served.open('archive');
    expect(await again.ask({ name: 'listRuns' }), where).toMatchObject({ result: { recorded: 1 } });
    await operator.ask({ name: 'hello' });
    expect(operator.state, where).toMatchObject({ mode: 'live', run: { folder } });
    served.command.signal('SIGTERM');
  }
  await served.command.ended;
  expectReadBack(folder, killedMs, where);
  // Before the first row with a stream is closed the run has no verdict: it is aborted.
  const ended = part === 'serve' ? ['interrupted'] : ['finished', 'aborted'];
  expect(ended, where).toContain(readNamedRun(folder).state);
  expect(served.command.errors, where).not.toMatch(/\n {4}at /);
  await served.command.leavesNothingBehind();
}

/** What was recorded up to a second before is there. */
function expectReadBack(folder: string, killedMs: number, where: string): void {
  expect(existsSync(folder) && readdirSync(folder), where).toContain('events.jsonl');
  const { wallMs = 0 } = readSamples(folder).at(-1) ?? {};
  expect(killedMs - wallMs, where).toBeLessThan(mostLostMs);
  expect(readNamedRun(folder).rows.length, where).toBeGreaterThanOrEqual(0);
}

/** The moment of the kill is what the seed chooses. */
function passTime(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
