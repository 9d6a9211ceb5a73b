import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readEvents } from '../engine/sessions/read-run';
import { exitCodes } from '../protocol/errors';
import { killAll, uniqueName, WhitelineCommand } from '../testing/command';
import { readStreamRun } from '../testing/named-rows';
import { outputPaths, temporaryFolder } from '../testing/temporary-folder';

/** What a run needs runs out in its middle: the run says what, and nothing that was recorded before is lost. */

const folder = temporaryFolder();
const out = outputPaths(folder);

let command: WhitelineCommand | null = null;
afterEach(async () => {
  killAll(command?.processes() ?? []);
  await command?.ended;
});

/** Resolves when a row with a stream is closed. */
async function rampTo(to: string): Promise<WhitelineCommand> {
  command = new WhitelineCommand([
    ...['run', 'stream-load', '--format', '640x360@30', '--max-streams', '3', '--name', uniqueName()],
    // Losses of a busy machine end no ramp of these.
    ...['--hold', '2s', '--warm-up', '500ms', '--stop-on', 'loss', '--stop-after', '60s'],
    ...['--invalid-retries', '0', '--out', to],
  ]);
  await command.says(/^ +1 +1 /m);
  return command;
}

function limit(processIds: readonly number[], ...limits: string[]): void {
  expect(processIds.length).toBeGreaterThan(0);
  for (const id of processIds) execFileSync('prlimit', ['--pid', String(id), ...limits]);
}

/** Rows that were closed before are there, and none with frames missing passed. */
function expectKept(path: string): void {
  const { rows } = readStreamRun(path);
  expect(rows.map(({ streams }) => streams).slice(0, 2)).toEqual([0, 1]);
  for (const { verdict, perStream } of rows)
    for (const { framesDropped, framesSenderMissed, stalls } of perStream)
      if ((framesDropped ?? 0) + (framesSenderMissed ?? 0) + (stalls ?? 0) > 0)
        expect(verdict).not.toBe('PASS');
}

/** Of address space, more than it has. */
function spaceOf(processId: number, moreMb: number): string {
  const [, kb] = /^VmSize:\s+(\d+)/m.exec(readFileSync(`/proc/${processId}/status`, 'utf8')) ?? [];
  return String(1024 * (Number(kb) + 1024 * moreMb));
}

test('files that the sending process may open: the next stream is refused, and no name or network is blamed', async () => {
  const ramp = await rampTo(out('sending'));
  limit(ramp.processes('streamhost.cjs sending'), '--nofile=10:');
  const { exitCode, errors } = await ramp.ended;
  expect(errors).toMatch(
    /whiteline: This process may open \d+ more files, and 16 may be needed\. Allow more open files \(ulimit -n\), or ask for fewer streams/,
  );
  expect(exitCode).toBe(exitCodes.environment);
  expectKept(out('sending'));
  expect(readStreamRun(out('sending'))).toMatchObject({ state: 'failed', verdict: null });
});

test('memory of the receiving process, which is started again; then files of the engine, whose load samples lack figures', async () => {
  const ramp = await rampTo(out('receiving'));
  const [receiving = 0] = ramp.processes('streamhost.cjs receiving');
  limit([receiving], `--as=${spaceOf(receiving, 1)}:`);
  await ramp.says(/^ +2 +2 /m);
  limit(ramp.processes('cli.cjs run'), '--nofile=10:');
  const { errors } = await ramp.ended;
  expect(errors).toMatch(/run\.json cannot be written: Whiteline may have no more files open .+ulimit -n/);
  expectKept(out('receiving'));
  expect(readEvents(out('receiving')).map(({ kind }) => kind)).toContain('host-died');
  // The files run out before the verdict is recorded or after it: the state must say which.
  const { state, verdict } = readStreamRun(out('receiving'));
  expect(state).toBe(verdict === null ? 'failed' : 'finished');
});

test.runIf(process.getuid?.() === 0)(
  'a disk that is full: the run ends at once, and says where',
  async () => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'whiteline-test', disk]);
    try {
      const path = join(disk, 'run');
      const ramp = await rampTo(path);
      expect(() => writeFileSync(join(disk, 'filling'), Buffer.alloc(2 ** 21))).toThrow(/ENOSPC/);
      const { exitCode, errors } = await ramp.ended;
      expect(errors).toMatch(
        /whiteline: The disk of .+\.jsonl is full\. Free some space or choose another output folder; what was written before is kept/,
      );
      expect(exitCode).toBe(exitCodes.environment);
      expectKept(path);
      expect(readStreamRun(path)).toMatchObject({
        ...{ state: 'failed', verdict: null },
        reason: expect.stringMatching(
          /^stopped: The disk of [^:]+\.jsonl is full\. Until then: (?!.*is full)/,
        ),
      });
    } finally {
      execFileSync('umount', ['--lazy', disk]);
    }
  },
);
