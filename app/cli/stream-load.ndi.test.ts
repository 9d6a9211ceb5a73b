import { existsSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { nextStreams } from '../engine/experiments/stream-load/ramp';
import { exitCodes } from '../protocol/errors';
import { repeatMetrics, streamCosts } from '../protocol/experiments/stream-load/metrics';
import type { Row } from '../protocol/version-1/row';
import { uniqueName, WhitelineCommand } from '../testing/command';
import { readStreamRun } from '../testing/read-stream-run';
import { withoutStatus } from '../testing/status-lines';
import { outputPaths, temporaryFolder } from '../testing/temporary-folder';

vi.setConfig({ testTimeout: 90_000 });

const folder = temporaryFolder();
const out = outputPaths(folder);

/** A ramp of small pictures that only what a test says ends; later flags overrule earlier ones. */
function ramp(to: string, ...flags: string[]): WhitelineCommand {
  return new WhitelineCommand([
    ...['run', 'stream-load', '--format', '640x360@30', '--name', uniqueName(), '--hold', '2s'],
    ...['--warm-up', '500ms', '--stop-on', 'fail', '--invalid-retries', '0', '--out', to, ...flags],
  ]);
}

/** Each frame of each stream is in one of the sums. */
function expectSums(rows: Row[]): void {
  for (const part of rows.flatMap((row) => [row, ...row.perStream])) {
    expect(part.framesScheduled).toBe((part.framesSubmitted ?? 0) + (part.framesSenderMissed ?? 0));
    expect(part.framesSubmitted).toBe((part.framesReceived ?? 0) + (part.framesDropped ?? 0));
  }
}

const streamsOf = (rows: Row[]): number[] => rows.map(({ streams }) => streams);

test('steps of two streams play a mix of sizes and rates in turn, from sources that they share', async () => {
  const mix = ['--mix', 'white-line 640x360@30', 'noise 320x180@25'];
  const command = ramp(out('mix'), '--step', '2', '--max-streams', '4', '--stop-on', 'invalid', ...mix);
  const { output, errors } = await command.ended;
  expect(withoutStatus(errors)).toBe('');
  expect(output).toContain('white-line 640x360@30 + noise 320x180@25, up to 4 streams');
  const { rows, environment } = readStreamRun(out('mix'));
  expect(environment.sources).toEqual([{ kind: 'white-line' }, { kind: 'noise' }]);
  const wanted = [0, 1, 3, 4];
  expect(streamsOf(rows)).toEqual(wanted.slice(0, rows.length));
  expect(rows.length === 4 || rows[rows.length - 1]?.verdict === 'INVALID').toBe(true);
  expectSums(rows);
  for (const row of rows) {
    for (const [index, stream] of row.perStream.entries()) {
      const rate = index % 2 === 0 ? 30 : 25;
      expect(stream.framesScheduled).toBeGreaterThanOrEqual(rate * 2 - 1);
      expect(stream.framesScheduled).toBeLessThanOrEqual(rate * 2 + 1);
      expect(stream.framesReceived).toBeGreaterThan(0);
    }
  }
  const [last] = rows.slice(-1);
  for (const { perStream } of streamCosts)
    expect(typeof last?.values[perStream] === 'number' || last?.notMeasured[perStream]).toBeTruthy();
  await command.leavesNothingBehind();
});

test('each stream in a process of its own: as many senders as streams, and none is left', async () => {
  const command = ramp(out('each'), '--processes', 'each', '--start', '2', '--max-streams', '2');
  await command.says(/^ +0 +0 /m, 40);
  // One beside them is there for inspecting movies.
  await vi.waitFor(() => expect(command.processes('streamhost.cjs sending').length).toBe(3), {
    timeout: 20_000,
    interval: 50,
  });
  await command.ended;
  const { rows } = readStreamRun(out('each'));
  expect(streamsOf(rows)).toEqual([0, 2]);
  for (const stream of rows[1]?.perStream ?? []) expect(stream.framesReceived).toBeGreaterThan(0);
  expectSums(rows);
  await command.leavesNothingBehind();
});

test('a refined ramp finds the limit between its steps: three streams, since the fourth has faults', async () => {
  const flags = ['--start', '2', '--step', '4', '--max-streams', '6', '--stop-on', 'sender-miss'];
  const faults = ['--inject', 'skip:10-14', '--inject-from', '4'];
  const command = ramp(out('refined'), ...flags, ...faults, '--refine');
  const { output, exitCode } = await command.ended;
  const { rows, reason } = readStreamRun(out('refined'));
  expectSums(rows);
  for (const row of rows) {
    const isFaulty = row.streams >= 4;
    const newest = row.perStream[row.perStream.length - 1];
    const injected = Array.from({ length: 5 }, (_, index) => (newest?.firstFrame ?? 0) + 10 + index);
    const lacking = [...(newest?.droppedFrames ?? []), ...(newest?.missedFrames ?? [])];
    if (isFaulty) for (const frame of injected) expect(lacking).toContain(frame);
  }
  const plan = { start: 2, step: 4, maxStreams: 6, refine: true };
  const measured = rows.slice(1).map(({ streams, verdict, senderMissed }) => {
    const outcome = verdict === 'PASS' ? 'clean' : verdict === 'INVALID' ? 'unknown' : 'bad';
    return { streams, outcome, stops: senderMissed } as const;
  });
  for (const [index, { streams }] of measured.entries())
    expect(streams).toBe(nextStreams(plan, measured.slice(0, index)));
  expect(nextStreams(plan, measured)).toBeNull();
  expect(output).toContain(reason);
  await command.leavesNothingBehind();
  // Elsewhere frames may be lost, or the hypervisor take CPU away, where nothing was put in.
  if (measured.some(({ streams, outcome }) => outcome !== (streams >= 4 ? 'bad' : 'clean'))) return;
  expect(streamsOf(rows)).toEqual([0, 2, 6, 4, 3]);
  // On a full machine the sender may miss a frame of its own beside them: that is reported first.
  const limit = rows.find(({ streams }) => streams === 4)?.senderMissed
    ? /^3 streams carried without losing a frame; with 4 streams (the sender was the limit|the SDK’s send call did not return in time): .+ missed \d+ frame/
    : /^3 streams carried without losing a frame; with 4 streams the run itself injected all that was lost: .+injected on purpose/;
  expect(reason).toMatch(limit);
  expect(exitCode).toBe(rows[0]?.verdict === 'INVALID' ? exitCodes.invalid : exitCodes.fail);
});

test('frames that are lost for too long end row and ramp early, and the reason names rule and time', async () => {
  // A third of the frames, and never so many on end that it is a stall.
  const faults = Array.from({ length: 14 }, (_, index) => `skip:${15 * index + 60}-${15 * index + 64}`).join(
    ';',
  );
  const flags = ['--hold', '10s', '--stop-after', '3s', '--stop-on', 'loss', '--max-streams', '3'];
  const { exitCode } = await ramp(out('breach'), ...flags, '--inject', faults).ended;
  const { rows, reason } = readStreamRun(out('breach'));
  const bad = rows[1];
  expect(streamsOf(rows)).toEqual([0, 1]);
  expect(bad?.measuredSeconds).toBeLessThan(10);
  expect(bad?.reason).toMatch(
    /ended after \d+\.\d of 10 s \(rule: at most 1 frame lost in 2 s, or more for less than 3 s on end; more were lost from .+ UTC\)/,
  );
  // Of a row that is INVALID the run's reason reports it only where it is the first.
  if (bad?.verdict === 'FAIL') expect(reason).toContain(bad.reason);
  expect([exitCodes.fail, exitCodes.invalid]).toContain(exitCode);
  expectSums(rows);
});

test('repeats are rows of their own, and the one that stands for them shows the median one', async () => {
  const flags = ['--max-streams', '1', '--repeats', '3', '--stop-on', 'sender-miss'];
  await ramp(out('repeats'), ...flags).ended;
  const { rows } = readStreamRun(out('repeats'));
  const shown = rows.filter(({ values }) => typeof values[repeatMetrics.repeat] !== 'number');
  const repeats = rows.filter((row) => !shown.includes(row));
  expect(repeats.map(({ values }) => values[repeatMetrics.repeat])).toEqual([1, 2, 3]);
  expect(streamsOf(shown)).toEqual([0, 1]);
  expect(rows.map(({ row }) => row)).toEqual([0, 1, 2, 3, 4]);
  const summary = shown[1];
  const [, repeat] = /shows repeat (\d)$/.exec(summary?.label ?? '') ?? [];
  const {
    label: _,
    row: __,
    values: ___,
    notMeasured: ____,
    ...figures
  } = repeats[Number(repeat) - 1] as Row;
  expect(summary).toMatchObject(figures);
  const valid = repeats.filter(({ verdict }) => verdict !== 'INVALID');
  expect(summary?.values[repeatMetrics.repeats]).toBe(valid.length);
  expectSums(rows);
});

test('Ctrl-C in the middle of repeats keeps every row, and leaves nothing behind', async () => {
  const flags = ['--max-streams', '4', '--step', '3', '--repeats', '9', '--sources', 'each'];
  const command = ramp(out('stopped'), ...flags, '--stop-on', 'sender-miss', '--spread-percent', '0');
  await command.says(/^ +2 +1 /m, 40);
  command.signal('SIGINT');
  const { exitCode } = await command.ended;
  expect(exitCode).toBe(exitCodes.aborted);
  const { rows, state } = readStreamRun(out('stopped'));
  expect(state).toBe('aborted');
  expect(rows.length).toBeGreaterThanOrEqual(3);
  expect(rows.slice(1).map(({ values }) => values[repeatMetrics.repeat])).toEqual(
    rows.slice(1).map((_, index) => index + 1),
  );
  expectSums(rows);
  await command.leavesNothingBehind();
});

test.each([
  [
    ['--start', '5'],
    /Expected no more than the maximum of 4 streams for --start but received 5\. Start with fewer/,
  ],
  [
    ['--processes', 'each', '--sources', 'shared'],
    /for --sources but received shared\. A source lives in the process/,
  ],
  [['--mix', 'noise 0x0@60'], /for --mix but received 0x0@60\. Use/],
  [
    ['--mix', 'noise', '--scale', '640x360'],
    /Expected no value with a mix for --scale but received 640x360\./,
  ],
  [['--mix', 'absent.mov'], /absent\.mov.+does not exist or cannot be read/],
  [['--stop-on', 'rain'], /Expected .*one of sender-miss, fail, loss, cpu, invalid/],
])('%j is refused with field, value and remedy', async (flags, sentence) => {
  const { exitCode, errors } = await ramp(out('refused'), ...flags).ended;
  expect(errors).toMatch(sentence);
  expect(exitCode).toBe(exitCodes.badInput);
  expect(existsSync(out('refused'))).toBe(false);
});
