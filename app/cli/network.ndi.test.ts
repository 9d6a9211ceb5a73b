import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readSamples } from '../engine/sessions/read-run';
import { readSession } from '../engine/sessions/read-session';
import { exitCodeOfVerdict, exitCodes } from '../protocol/errors';
import { errorsBesideBusy } from '../testing/busy-lines';
import { uniqueName, WhitelineCommand } from '../testing/command';
import { whiteline } from '../testing/command-here';
import { readStreamRun } from '../testing/named-rows';
import { expectSums } from '../testing/row-sums';
import { outputPaths, temporaryFolder } from '../testing/temporary-folder';

const folder = temporaryFolder();
const pathFor = outputPaths(folder);

let sender: WhitelineCommand | null = null;
afterEach(() => sender?.signal('SIGKILL'));

test('with libndi the doctor has no problem, and reports its version', async () => {
  const { exitCode, output } = await whiteline('doctor');
  expect(output).toMatch(/ok +native addon: loaded/);
  expect(output).toMatch(/ok +NDI runtime: .*\d+\.\d+.* from .*libndi/);
  expect(exitCode).toBe(exitCodes.pass);
});

test.concurrent('a name that no one sends and a port that is dead are reported', async () => {
  const name = uniqueName();
  const commands = [
    {
      command: new WhitelineCommand(['watch', name]),
      words: `No sender named ${name} was found within 10 s.`,
    },
    {
      command: new WhitelineCommand(['watch', name, '--address', '127.0.0.1:1']),
      words: `No video of ${name} came from 127.0.0.1:1 within 10 s.`,
    },
  ];
  for (const { command, words } of commands) {
    const { exitCode, errors } = await command.ended;
    expect(errors).toContain(words);
    expect(exitCode).toBe(exitCodes.environment);
    await command.leavesNothingBehind();
  }
});

test('what one sends another finds and watches, with the sender’s own records', async () => {
  const name = uniqueName();
  sender = new WhitelineCommand(['send', '--name', name, '--format', '640x360@30', '--streams', '2']);
  await sender.says(new RegExp(`Sending white-line 640x360@30 as ${name} 1, ${name} 2`));
  const next = new WhitelineCommand(['send', '--name', name, '--format', '640x360@30']);
  await next.says(
    new RegExp(`Names in use: ${name} 1, ${name} 2; using ${name} 3\nSending .+ as ${name} 3;`),
  );
  next.signal('SIGINT');
  await next.ended;

  const { output } = await whiteline('sources', '--json');
  const names = output
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { name: string }).name);
  for (const stream of [1, 2])
    expect(names.some((found) => found.endsWith(`(${name} ${stream})`))).toBe(true);

  const out = pathFor('watched');
  const words = ['watch', `${name} 1`, `${name} 2`, '--duration', '3', '--out', out];
  const watch = new WhitelineCommand([...words, '--thresholds', 'flawless']);
  const { exitCode, errors } = await watch.ended;
  expect(errorsBesideBusy(errors)).toBe('');
  expect([exitCodes.pass, exitCodes.fail, exitCodes.invalid]).toContain(exitCode);
  const { rows, state, thresholdProfile, thresholds, verdict, reason } = readStreamRun(out);
  expect(watch.output.endsWith(`\n${verdict}: ${reason}\nRun: ${out}\n`), watch.output).toBe(true);
  expect(state).toBe('finished');
  expect([thresholdProfile, thresholds.acceptableLostFrames]).toEqual(['flawless', 0]);
  expect(rows).toHaveLength(1);
  expectSums(rows);
  for (const stream of rows[0]?.perStream ?? []) {
    expect(stream.framesScheduled).toBeGreaterThan(60);
    expect(stream.framesMissing).toBeNull();
    // A machine that was disturbed leaves no latency; the clocks are not why.
    if (stream.latencyMs.p50 === null) expect(stream.notMeasured['latencyMs.p50']).not.toMatch(/^$|clock/);
    else expect(stream.latencyMs.p50).toBeGreaterThan(0);
  }
  await watch.leavesNothingBehind();

  sender.signal('SIGINT');
  expect((await sender.ended).exitCode).not.toBe(exitCodes.aborted);
  await sender.leavesNothingBehind();
});

test('a sender with --json puts faults in, joins a session, and says in the last line what it came to', async () => {
  const session = pathFor('sent-session');
  const words = ['send', '--name', uniqueName(), '--format', '640x360@30', '--duration', '2s', '--json'];
  sender = new WhitelineCommand([...words, '--inject', 'miss:10-12', '--session', session]);
  const { exitCode, output } = await sender.ended;
  const objects = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; folder?: string });
  expect(new Set(objects.map(({ type }) => type))).toEqual(new Set(['ready', 'view', 'row', 'end']));
  const [run] = readSession(session).runs;
  const folder = join(session, run?.folder ?? '');
  expect(objects.at(-1)).toMatchObject({ type: 'end', verdict: run?.verdict, exitCode, folder });
  const [stream] = readStreamRun(folder).rows[0]?.perStream ?? [];
  expect(stream?.losses.flatMap(({ causes = [] }) => causes.map(({ code }) => code))).toContain('injected');
  await sender.leavesNothingBehind();
});

test('a sender that ends by itself leaves the run of its own side, and says what each stream came to', async () => {
  const name = uniqueName();
  const folder = pathFor('sent-runs');
  const out = join(folder, 'sent');
  const words = ['send', '--name', name, '--format', '640x360@30', '--streams', '2', '--no-audio'];
  sender = new WhitelineCommand([...words, '--duration', '2s', '--out', out, '--thresholds', 'flawless']);
  const { exitCode, output, errors } = await sender.ended;
  const run = readStreamRun(out);
  expect([exitCode, errorsBesideBusy(errors)]).toEqual([exitCodeOfVerdict(run.verdict), '']);
  expect(run).toMatchObject({ experiment: 'send', state: 'finished', thresholdProfile: 'flawless' });
  expect(run.command).toBe(
    `whiteline send --source white-line --format 640x360@30 --reads cached --pixel-format uyvy --streams 2 --name ${name} --duration 2s --thresholds flawless --no-audio`,
  );
  const sum = (values: (number | null | undefined)[]): number =>
    values.reduce<number>((total, value) => total + (value ?? Number.NaN), 0);
  for (const stream of [1, 2]) {
    const rows = run.rows.flatMap(({ perStream }) =>
      perStream.filter((one) => one.name === `${name} ${stream}`),
    );
    const submitted = sum(rows.map(({ framesSubmitted }) => framesSubmitted));
    const missed = sum(rows.map(({ framesSenderMissed }) => framesSenderMissed));
    expect(submitted).toBeGreaterThan(0);
    expect(submitted + missed).toBe(sum(rows.map(({ framesScheduled }) => framesScheduled)));
    expect(output).toContain(`\n${name} ${stream}: ${submitted} frames submitted, ${missed} missed\n`);
    for (const row of rows) {
      expect(row).toMatchObject({ framesReceived: null, framesDropped: null, stalls: null });
      expect(row.notMeasured.framesReceived).toBe(
        'this run has no receiver of its own: only the receiver knows',
      );
    }
  }
  expect(output.endsWith(`\n${run.verdict}: ${run.reason}\nRun: ${out}\n`), output).toBe(true);
  expect(readSamples(out).length).toBeGreaterThan(0);
  const listed = await whiteline('runs', '--runs', folder);
  expect(listed.output).toMatch(new RegExp(`send +${run.verdict} +sent\n`));
  const again = join(folder, 'sent-again');
  cpSync(out, again, { recursive: true });
  const compared = await whiteline('compare', out, again, '--json');
  expect(compared.output).toContain('framesSenderMissed');
  const report = join(folder, 'sent.csv');
  expect((await whiteline('report', out, '--csv', report)).exitCode).toBe(exitCodes.pass);
  await sender.leavesNothingBehind();
});
