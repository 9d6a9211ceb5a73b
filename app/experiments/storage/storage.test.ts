import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { symmetricDifferencePercent } from '../../facts/symmetric-difference';
import { exitCodes } from '../../protocol/errors';
import { killAll, WhitelineCommand } from '../../testing/command';
import { CommandHere } from '../../testing/command-here';
import type { Ended } from '../../testing/command-output';
import { fakeTool } from '../../testing/fake-tool';
import { readNamedRun, type TableRow, tableRowsOf } from '../../testing/named-rows';
import { temporaryFolder } from '../../testing/temporary-folder';
import { opensDirectly } from './test-file';

// What fio may answer: storage-runs.test.ts.

const root = temporaryFolder();
const mounted: string[] = [];
const isRoot = process.getuid?.() === 0;

afterEach(() => {
  for (const folder of mounted.splice(0)) execFileSync('umount', [folder]);
});

let folders = 0;
/** fio takes a colon for the end of a name. */
function freshFolder(name = 'measured: '): string {
  const folder = join(root, `${name}${++folders}`);
  mkdirSync(folder);
  return folder;
}

function mount(type: string, options: string): string {
  const folder = freshFolder('mounted-');
  execFileSync('mount', ['-t', type, '-o', options, type, folder]);
  mounted.push(folder);
  return folder;
}

/** Small and short; later flags overrule earlier ones. */
function words(out: string, flags: string[]): string[] {
  const small = ['--size-mib', '16', '--repeats', '2', '--hold', '1s', '--tests', 'SEQ1M-Q1T1'];
  return ['run', 'storage', ...small, '--out', join(root, out), ...flags];
}

function storage(out: string, flags: string[]): WhitelineCommand {
  return new WhitelineCommand(words(out, flags));
}

/** Where nothing is done to its processes. */
function storageHere(out: string, flags: string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return new CommandHere(words(out, flags), environment).ended;
}

function rowsOf(out: string): TableRow[] {
  return tableRowsOf(readNamedRun(join(root, out)).rows);
}

const oneFolder = (): { folder: string; flags: string[] } => {
  const folder = freshFolder();
  return { folder, flags: ['--folders', folder] };
};

test('two folders: best, median, spread, difference, and movies that each is enough for', async () => {
  const [one, other] = [freshFolder(), freshFolder()];
  const command = storage('two', ['--folders', one, other, '--format', '640x360@30']);
  const { exitCode, output } = await command.ended;
  const run = readNamedRun(join(root, 'two'));
  const rows = rowsOf('two');
  expect(rows.map(({ values }) => [values['storage.folder'], values['storage.operation']])).toEqual([
    [one, 'read'],
    [one, 'write'],
    [other, 'read'],
    [other, 'write'],
  ]);
  for (const row of rows) {
    const passes = row.details.passes as { megabytesPerSecond: number }[];
    const rates = passes.map(({ megabytesPerSecond }) => megabytesPerSecond);
    expect(rates).toHaveLength(2);
    expect(row.values['storage.bestMBps']).toBe(Math.max(...rates));
    expect(row.values['storage.medianMBps']).toBeCloseTo(((rates[0] ?? 0) + (rates[1] ?? 0)) / 2, 6);
    expect(row.values['storage.spreadMBps']).toBeCloseTo(
      Math.abs((rates[0] ?? 0) - (rates[1] ?? 0)) / Math.SQRT2,
      6,
    );
    expect(row.values['storage.lineRatePercent']).toBeNull();
    expect(row.notMeasured['storage.lineRatePercent']).toMatch(/is behind no link/);
  }
  const best = rows.map(({ values }) => Number(values['storage.bestMBps']));
  expect(rows[0]?.values['storage.differencePercent']).toBeNull();
  expect(rows[2]?.values['storage.differencePercent']).toBe(
    symmetricDifferencePercent(best[0] ?? 0, best[2] ?? 0),
  );
  const movies = Math.floor(Number(rows[0]?.values['storage.medianMBps']) / ((640 * 360 * 30) / 1e6));
  expect(rows[0]?.values['storage.hapQStreams']).toBe(movies);
  expect(run.reason).toContain(`enough for ${movies} Hap Q streams of 640x360@30`);
  expect(output).toContain(run.reason);
  expect(run.environment.fio).toMatch(/^fio-/);
  expect(run.environment.topology).toBe('this machine and the folders under test');
  expect([exitCodes.pass, exitCodes.invalid]).toContain(exitCode);
  expect([...readdirSync(one), ...readdirSync(other)]).toEqual([]);
  await command.leavesNothingBehind();
});

test('devices, what is no folder, and what is not there are refused', async () => {
  const [link, file] = [join(root, 'link'), join(root, 'file')];
  symlinkSync('/dev/null', link);
  writeFileSync(file, '');
  const refusals: [string, RegExp][] = [
    [
      '/dev/null',
      /Expected a folder, not a device for --folders but received \/dev\/null\. Writing to a device/,
    ],
    ['/dev/shm', /Expected a folder, not a device/],
    [link, /Expected a folder, not a device/],
    [file, /Expected a folder for --folders/],
    [join(root, 'nowhere'), /Expected a folder that exists for --folders/],
  ];
  for (const [folder, message] of refusals) {
    const { exitCode, errors } = await storageHere('refused', ['--folders', folder]);
    expect(errors).toMatch(message);
    expect(exitCode).toBe(exitCodes.badInput);
  }
});

test.runIf(isRoot)(
  'a file of more than a tenth of the free space is refused, with what would do',
  async () => {
    const folder = mount('tmpfs', 'size=400m');
    const { exitCode, errors } = await storageHere('big', ['--folders', folder, '--size-mib', '41']);
    expect(errors).toMatch(
      /Expected at most a tenth of the 400 MiB that are free in .+ for --size-mib but received 41\. Give --size-mib 40/,
    );
    expect(exitCode).toBe(exitCodes.badInput);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test.runIf(isRoot)('a folder that cannot be written to is refused', async () => {
  const folder = mount('tmpfs', 'ro,size=400m');
  const { exitCode, errors } = await storageHere('read-only', ['--folders', folder]);
  expect(errors).toMatch(/Expected a folder that may be written to .+ It is mounted read-only/);
  expect(exitCode).toBe(exitCodes.badInput);
});

test.runIf(isRoot)('a file system without O_DIRECT is found out', () => {
  const [direct, cached] = [join(freshFolder(), 'file'), join(mount('ramfs', 'mode=700'), 'file')];
  for (const file of [direct, cached]) writeFileSync(file, 'x');
  expect([opensDirectly(direct), opensDirectly(cached)]).toEqual([true, false]);
});

test('fio missing: reported before the run', async () => {
  const { folder, flags } = oneFolder();
  const { exitCode, errors } = await storageHere('missing', flags, { PATH: '/nonexistent' });
  expect(errors).toMatch(/fio is not installed, or not in PATH\. Install it/);
  expect(exitCode).toBe(exitCodes.environment);
  expect(readdirSync(folder)).toEqual([]);
});

test('fio killed in the middle: rows so far are kept, and nothing is left', async () => {
  const { folder, flags } = oneFolder();
  const command = storage('killed', [...flags, '--repeats', '3']);
  await command.says(/read SEQ1M-Q1T1/);
  const killed = (): void => {
    killAll(command.processes('--rw=write'));
    expect(command.errors).toMatch(/fio failed: it was killed by SIGKILL/);
  };
  await vi.waitFor(killed, { timeout: 60_000, interval: 20 });
  const { exitCode } = await command.ended;
  expect(exitCode).toBe(exitCodes.environment);
  expect(readNamedRun(join(root, 'killed')).state).toBe('failed');
  expect(rowsOf('killed')[0]?.values['storage.operation']).toBe('read');
  expect(readdirSync(folder)).toEqual([]);
  await command.leavesNothingBehind();
});

test('Ctrl-C: rows so far are kept, and nothing is left', async () => {
  const { folder, flags } = oneFolder();
  const command = storage('stopped', [...flags, '--repeats', '3']);
  await command.says(/read SEQ1M-Q1T1/);
  await vi.waitFor(() => expect(command.processes('rw=write').length).toBeGreaterThan(0));
  command.signal('SIGINT');
  const { exitCode } = await command.ended;
  expect(exitCode).toBe(exitCodes.aborted);
  expect(readNamedRun(join(root, 'stopped')).state).toBe('aborted');
  expect(rowsOf('stopped').length).toBeGreaterThan(0);
  expect(readdirSync(folder)).toEqual([]);
  await command.leavesNothingBehind();
});

test('the command and fio both killed: the test file goes all the same', async () => {
  const { folder, flags } = oneFolder();
  const command = storage('murdered', [...flags, '--repeats', '20']);
  await vi.waitFor(() => expect(command.processes('rw=read').length).toBeGreaterThan(0), { timeout: 60_000 });
  expect(readdirSync(folder)).toHaveLength(1);
  const guardians = command.processes('whiteline-guardian');
  expect(guardians).toHaveLength(1);
  killAll(command.processes().filter((pid) => !guardians.includes(pid)));
  await command.ended;
  await vi.waitFor(() => expect(readdirSync(folder)).toEqual([]));
  await command.leavesNothingBehind();
  expect(readNamedRun(join(root, 'murdered')).state).toBe('interrupted');
});

test.runIf(isRoot)(
  'a disk that becomes full meanwhile: reported, rows so far kept, nothing left',
  async () => {
    const [first, second] = [freshFolder(), mount('tmpfs', 'size=400m')];
    const fill = join(second, 'others');
    const script = `case "$(readlink /proc/self/fd/3)" in "${second}"/*) dd if=/dev/zero of="${fill}" bs=1M 2>/dev/null ;; esac; exec "$REAL" "$@"`;
    const flags = ['--folders', first, second, '--operations', 'read'];
    const { exitCode, errors } = await storageHere('full', flags, fakeTool(root, 'fio', script));
    expect(errors).toMatch(
      /The disk became full while it was measured: .*No space left on device.*\. Free some space/,
    );
    expect(exitCode).toBe(exitCodes.environment);
    expect(rowsOf('full').map(({ values }) => values['storage.folder'])).toEqual([first]);
    expect(readdirSync(first)).toEqual([]);
    expect(readdirSync(second)).toEqual(['others']);
  },
);

test('the file removed by somebody: reported, and no other one is made', async () => {
  const { folder, flags } = oneFolder();
  const script = `rm -f "${folder}"/.whiteline-storage-*; exec "$REAL" "$@"`;
  const { exitCode, errors } = await storageHere('removed', flags, fakeTool(root, 'fio', script));
  expect(errors).toMatch(/The test file .+ was removed or replaced while it was measured/);
  expect(exitCode).toBe(exitCodes.environment);
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ['cut and lengthened before a pass', 'truncate -s 0 "$file"; truncate -s 16M "$file"', 'true'],
  ['shortened at the end of a pass', 'true', 'truncate -s 8M "$file"'],
])(
  'a file that is %s: this row is INVALID, and the next one is of a file that is filled again',
  async (...attack) => {
    const [, before, behind] = attack;
    const [{ folder, flags }, out] = [oneFolder(), `changed-${++folders}`];
    const work = `${before}; "$REAL" "$@"; end=$?; ${behind}; exit $end`;
    const script = `case "$*" in *--name=SEQ1M-Q8T1*) for file in "${folder}"/.whiteline-storage-*; do ${work}; done ;; esac; exec "$REAL" "$@"`;
    const tests = ['--tests', 'SEQ1M-Q8T1', 'SEQ1M-Q1T1', '--operations', 'read', '--format', '640x360@30'];
    const { exitCode } = await storageHere(out, [...flags, ...tests], fakeTool(root, 'fio', script));
    const [changed, next] = readNamedRun(join(root, out)).rows;
    expect([changed?.verdict, changed?.reason]).toEqual([
      'INVALID',
      expect.stringMatching(
        /^another program changed the test file .+\/\.whiteline-storage-\w+: it .+ measure again/,
      ),
    ]);
    expect(next?.reason).not.toMatch(/test file/);
    expect(exitCode).toBe(exitCodes.invalid);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test.each([
  ['before it is filled', '*--name=lay-out*', '', 0],
  ['while it is filled', '*--name=lay-out*', 'sleep 0.2', 0],
  ['before a pass that writes', '*--name=SEQ1M*rw=write*', '', 1],
  ['while a pass writes', '*--name=SEQ1M*rw=write*', 'sleep 0.2', 1],
])('a link put in the place of the file %s: what it points to is never written', async (...attack) => {
  const [, call, pause, rowsBefore] = attack;
  const [{ folder, flags }, out] = [oneFolder(), `swapped-${++folders}`];
  const [victim, content] = [join(root, `victim-${folders}`), 'mine '.repeat(1000)];
  writeFileSync(victim, content);
  const swap = `for file in "${folder}"/.whiteline-storage-*; do ln -sfn "${victim}" "$file"; done`;
  // A call ends after the swap, however late that comes.
  const swapBeside = `"$REAL" "$@" & ${pause}; ${swap}; wait $!; exit $?`;
  const script = `case "$*" in ${call}) ${pause ? swapBeside : swap}\n;; esac; exec "$REAL" "$@"`;
  const { exitCode, errors } = await storageHere(out, flags, fakeTool(root, 'fio', script));
  expect(readFileSync(victim, 'utf8')).toBe(content);
  expect(errors).toMatch(/was removed or replaced while it was measured\. No other file was read or written/);
  expect(exitCode).toBe(exitCodes.environment);
  const readRows = rowsOf(out).filter(({ values }) => values['storage.operation'] === 'read');
  expect(readRows).toHaveLength(rowsBefore);
  expect(readdirSync(folder)).toEqual([]);
});
