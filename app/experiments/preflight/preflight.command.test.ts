import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { exitCodes } from '../../protocol/errors';
import { WhitelineCommand } from '../../testing/command';
import { CommandHere, whiteline } from '../../testing/command-here';
import { makeMovie } from '../../testing/movies';
import { readNamedRun, type TableRow } from '../../testing/named-rows';
import { programs } from '../../testing/programs';
import { withoutStatus } from '../../testing/status-lines';
import { temporaryFolder } from '../../testing/temporary-folder';

const folder = temporaryFolder();
let runs = 0;

/** Everything that can be checked without leaving this machine. */
function preflight<Command>(
  As: new (words: string[], environment: NodeJS.ProcessEnv) => Command,
  flags: string[] = [],
  environment: NodeJS.ProcessEnv = {},
): { out: string; command: Command } {
  const out = join(folder, `run-${++runs}`);
  const words = ['run', 'preflight', '--interface', 'lo', '--duration', '500ms', '--out', out];
  return { out, command: new As([...words, ...flags], environment) };
}

function linesOf(out: string): Map<string, TableRow> {
  return new Map((readNamedRun(out).rows as TableRow[]).map((row) => [String(row.details.check), row]));
}

test('loopback: each check is a row, with state, words and facts, and the worst of them is the verdict', async () => {
  const movie = join(folder, 'movie.mov');
  makeMovie(movie);
  const { out, command } = preflight(WhitelineCommand, ['--host', '127.0.0.1', '--movie', movie]);
  const { exitCode, output, errors } = await command.ended;
  expect(withoutStatus(errors)).toBe('');
  const rows = readNamedRun(out).rows as TableRow[];
  expect(rows.length).toBeGreaterThan(20);
  for (const { label, values, verdict, details } of rows) {
    const state = String(values['preflight.state']);
    const expected = { ok: 'PASS', warning: 'WARN', problem: 'FAIL', unknown: 'WARN' }[state];
    expect(verdict, label).toBe(expected);
    expect(values['preflight.found'], label).toMatch(/\w/);
    expect(details.check, label).toMatch(/^[a-z-]+$/);
    expect(output).toContain(label);
  }
  const run = readNamedRun(out);
  const worst = ['FAIL', 'WARN', 'PASS'].find((verdict) => rows.some((row) => row.verdict === verdict));
  expect(run).toMatchObject({ state: 'finished', verdict: worst });
  expect(run.reason).toMatch(/\d+ checks$/);
  expect(run.environment).toMatchObject({ interface: 'lo' });
  expect(exitCode).toBe(worst === 'FAIL' ? exitCodes.fail : exitCodes.pass);
  const lines = linesOf(out);
  for (const id of ['path-mtu', 'ndi-ports'])
    expect(lines.get(id)?.values).toMatchObject({
      ...{
        'preflight.state': 'unknown',
        'preflight.found': expect.stringMatching(/^127\.0\.0\.1 is this machine/),
      },
    });
  expect(lines.get('disk-rate')?.values['preflight.found']).toMatch(/is read at \d+ MB\/s and needs/);
  expect(lines.get('offloads')?.details.offloads).toMatchObject({ loopback: true });
  await command.leavesNothingBehind();
});

test('its page says what each check is', async () => {
  const page = readFileSync('docs/experiments/preflight.md', 'utf8');
  const { out, command } = preflight(CommandHere);
  await command.ended;
  for (const id of linesOf(out).keys()) expect(page, id).toContain(`\`${id}\``);
});

test('drives that lsblk does not list are not known, with what it said', async () => {
  const path = programs(folder, { lsblk: 'echo "{}"' });
  const { out, command } = preflight(CommandHere, [], { PATH: path });
  await command.ended;
  const [machine] = readNamedRun(out).environment.hosts as {
    drives: null;
    notKnown: Record<string, string>;
  }[];
  expect(machine).toMatchObject({ drives: null, notKnown: { drives: expect.stringMatching(/lsblk/) } });
});

test.each(['SIGINT', 'SIGHUP'] as const)(
  '%s while a tool runs: the rows so far are kept, and the tool is gone',
  async (signal) => {
    const path = programs(folder, { ping: 'exec sleep 100000' });
    const { out, command } = preflight(WhitelineCommand, ['--host', '192.0.2.7'], { PATH: path });
    await command.says(/MTU here/);
    await vi.waitFor(() => expect(command.processes('sleep')).toHaveLength(1), { timeout: 60_000 });
    command.signal(signal);
    const { exitCode } = await command.ended;
    expect(exitCode).toBe(exitCodes.aborted);
    expect([...linesOf(out).keys()]).toEqual(['link-speed', 'driver', 'mtu']);
    expect(readNamedRun(out)).toMatchObject({ state: 'aborted', verdict: null });
    await command.leavesNothingBehind();
  },
);

test('its folder is gone while it runs: it ends at once, as a fault of the environment', async () => {
  const path = programs(folder, { ping: 'exec sleep 100000' });
  const { out, command } = preflight(WhitelineCommand, ['--host', '192.0.2.7'], { PATH: path });
  await command.says(/MTU here/);
  // A thread writes it once at the beginning: what it misses while the folder goes is a fault of another kind.
  await vi.waitFor(() => expect(existsSync(join(out, 'run.json'))).toBe(true));
  rmSync(out, { recursive: true });
  const { exitCode, errors } = await command.ended;
  expect(errors).toContain(`The run's files in ${out} were removed or moved while it was recorded`);
  expect(errors).not.toContain('holds no run');
  expect(exitCode).toBe(exitCodes.environment);
  expect(existsSync(out)).toBe(false);
  await command.leavesNothingBehind();
});

test.each([
  [['--interface', 'none0'], /Expected one of lo.* for --interface but received none0/],
  [['--host', 'no.such.host.invalid'], /Expected a host that can be found for --host but received no\.such/],
  [['--host', '-f'], /Expected the name or address of a host for --host but received -f/],
  [['--movie', '/nonexistent.mov'], /\/nonexistent\.mov does not exist/],
  [['--interface', 'none0', '--movie', '/nonexistent.mov'], /none0[\s\S]*nonexistent\.mov does not exist/],
])('%j is refused before the run', async (flags, words) => {
  const out = join(folder, `refused-${++runs}`);
  const { exitCode, errors } = await whiteline('run', 'preflight', '--out', out, ...flags);
  expect(errors).toMatch(words);
  expect(exitCode).toBe(exitCodes.badInput);
  expect(() => readNamedRun(out)).toThrow(/no run/);
});
