import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { expect, test, vi } from 'vitest';
import { readEvents, readSamples, runFiles } from '../../engine/sessions/read-run';
import { rowSchema } from '../../facts/row';
import { exitCodes } from '../../protocol/errors';
import type { LoadSample } from '../../protocol/load';
import { range } from '../../testing/columns';
import { uniqueName, WhitelineCommand } from '../../testing/command';
import { samplesComeAtOnce } from '../../testing/fresh-samples';
import { damageFrames, makeMovie } from '../../testing/movies';
import { type Row, readStreamRun } from '../../testing/named-rows';
import { expectSums } from '../../testing/row-sums';
import { outputPaths, temporaryFolder } from '../../testing/temporary-folder';

const folder = temporaryFolder();
const out = outputPaths(folder);

/** A ramp of small pictures; later flags overrule earlier ones. */
function ramp(to: string, ...flags: string[]): WhitelineCommand {
  return new WhitelineCommand([
    ...['run', 'stream-load', '--format', '640x360@30', '--max-streams', '1', '--name', uniqueName()],
    // A hypervisor that takes CPU away makes rows INVALID: the ramps of these tests go on.
    ...['--hold', '2s', '--warm-up', '500ms', '--stop-on', 'sender-miss', '--invalid-retries', '0'],
    ...['--out', to, ...flags],
  ]);
}

/** Each second of the row lies within what the whole row was; a row that was disturbed, and a second without a frame, say so. */
function expectLatencyOverTime(path: string, row: Row | undefined): void {
  const samples = readSamples(path);
  const [first] = samples;
  expect(first).toMatchObject({ latencyP50Ms: null, latencyP99Ms: null });
  const [fromMs, toMs] = [Date.parse(row?.startedAt ?? ''), Date.parse(row?.endedAt ?? '')];
  // Only samples whose frames were all released within the row: its second, and the slowest frame's latency before it.
  const within = samples.filter(
    ({ wallMs, latencyP99Ms }) => wallMs - 1100 - (latencyP99Ms ?? 0) >= fromMs && wallMs <= toMs - 100,
  );
  const isWithout = ({ latencyP50Ms }: LoadSample): boolean => latencyP50Ms === null;
  for (const { notMeasured } of [...samples.slice(0, 1), ...within.filter(isWithout)])
    expect(notMeasured.latencyP50Ms).toContain('no frame');
  const { min, max } = row?.latencyMs ?? {};
  if (min === null) expect(row?.notMeasured['latencyMs.min']).not.toMatch(/^$|clock/);
  for (const { latencyP50Ms, latencyP99Ms } of within.filter((sample) => !isWithout(sample))) {
    expect(latencyP50Ms).toBeGreaterThan(0.99 * (min ?? 0));
    expect(latencyP99Ms).toBeLessThan(1.01 * (max ?? Number.POSITIVE_INFINITY));
    expect(latencyP99Ms).toBeGreaterThanOrEqual(latencyP50Ms ?? Number.NaN);
  }
}

function exitCodeOf(verdict: Row['verdict'] | null): number | null {
  const { pass, fail, invalid } = exitCodes;
  return verdict && { PASS: pass, WARN: pass, FAIL: fail, INVALID: invalid }[verdict];
}

test('a ramp over a mix: each row is a line of JSON as published, sums are conserved, and a fault is named with its numbers', async () => {
  const mix = ['--mix', 'white-line 640x360@30', 'noise 320x180@25'];
  const faults = ['--inject', 'miss:5-7; skip:20-24', '--inject-from', '2'];
  // Losses that would have to last longer than a row: nothing ends this ramp early, however full the machine is.
  const stop = ['--stop-on', 'loss', '--stop-after', '60s'];
  const command = ramp(out('json'), '--json', '--max-streams', '2', ...mix, ...faults, ...stop);
  const { exitCode, output } = await command.ended;
  const lines = output.trim().split('\n');
  expect(JSON.parse(lines.pop() ?? '')).toMatchObject({ type: 'end', exitCode, folder: out('json') });
  const rows = lines.map((line) => rowSchema.parse(JSON.parse(line)));
  expect(readFileSync(join(out('json'), runFiles.rows), 'utf8')).toBe(`${lines.join('\n')}\n`);
  const schema = JSON.parse(readFileSync('docs/schema/run.schema.json', 'utf8'));
  const run = JSON.parse(readFileSync(join(out('json'), runFiles.run), 'utf8'));
  const validate = new Ajv2020().compile(schema);
  expect(validate(run), JSON.stringify(validate.errors)).toBe(true);
  expect(run.rows).toEqual(rows);
  const { rows: flat, environment } = readStreamRun(out('json'));
  expect(environment.sources).toEqual([
    { kind: 'white-line', format: '640x360@30' },
    { kind: 'noise', format: '320x180@25' },
  ]);
  expect(flat.map((row) => row.streams)).toEqual([0, 1, 2]);
  expectSums(flat);
  expectLatencyOverTime(out('json'), flat[1]);
  expect(exitCode).toBe(exitCodeOf(run.verdict));
  await command.leavesNothingBehind();
  for (const { perStream } of flat)
    for (const [index, stream] of perStream.entries()) {
      // Two seconds at the rate of its own source.
      expect(Math.abs((stream.framesScheduled ?? 0) - 2 * (index === 0 ? 30 : 25))).toBeLessThanOrEqual(1);
      expect(stream.framesReceived).toBeGreaterThan(0);
    }
  const stream = flat[2]?.perStream[1];
  const first = stream?.firstFrame ?? Number.NaN;
  const lost = new Set(stream?.droppedFrames);
  const missed = new Set(stream?.missedFrames);
  for (const slot of range(first + 20, first + 24)) expect(lost.has(slot) || missed.has(slot)).toBe(true);
  for (const slot of range(first + 5, first + 7))
    expect([missed.has(slot), lost.has(slot)]).toEqual([true, false]);
  expect(flat[2]).toMatchObject({ senderMissed: true });
  expect(readEvents(out('json')).some((event) => event.kind === 'fault-injected')).toBe(true);
});

test('a picture that comes again breaks the rule of a run, and the run says how it was typed', async () => {
  const rules = ['--inject', 'repeat:5', '--inject-from', '1', '--max-duplicates', '0'];
  const { exitCode, output } = await ramp(out('gated'), '--json', ...rules).ended;
  expect(exitCode).toBe(exitCodes.fail);
  const reason = expect.stringMatching(/^1 picture came again, where 0 may; /);
  expect(JSON.parse(output.trim().split('\n').pop() ?? '')).toMatchObject({
    verdict: 'FAIL',
    reason,
    exitCode,
  });
  const run = JSON.parse(readFileSync(join(out('gated'), runFiles.run), 'utf8'));
  expect(run).toMatchObject({
    verdict: 'FAIL',
    reason,
    command: expect.stringMatching(/ --max-duplicates 0$/),
    gates: { maxDuplicates: 0 },
  });
});

test('a Hap movie is played at its own size and rate, over and over, read past the page cache where that is asked for', async () => {
  // Beside the code and not among temporary files, which may lie in memory.
  const source = 'test-content/bars-640x360-30-hap.mov';
  const reads = process.platform === 'linux' ? 'direct' : 'cached';
  const command = ramp(out('movie'), '--source', source, '--reads', reads, '--hold', '3s');
  await command.says(/^ +0 +0 /m);
  expect(command.processes('ffmpeg')).toEqual([]);
  const { output } = await command.ended;
  expect(output).toContain(`${source} 640x360@30`);
  const { rows, parameters, environment } = readStreamRun(out('movie'));
  expect(parameters).toMatchObject({ reads });
  expect(environment.source).toMatchObject({ kind: 'hap', playedBy: 'Whiteline', preload: false, reads });
  expect(rows[1]?.framesReceived).toBeGreaterThan(0);
  expectSums(rows);
  expect(readEvents(out('movie')).some((event) => event.kind === 'source-failed')).toBe(false);
  await command.leavesNothingBehind();
});

test('a damaged Hap movie goes on with its last good picture, and the run reports frame and byte', async () => {
  const movie = join(folder, 'damaged.mov');
  makeMovie(movie);
  // Every second picture of a pass: a sender that misses some slots on a full machine still sends others of them.
  damageFrames(
    movie,
    range(0, 59).filter((frame) => frame % 2 === 0),
  );
  const wanted = ['--rate', '60000/1001', '--start-frame', '5', '--preload', '--hold', '3s'];
  const { output } = await ramp(out('damaged'), '--source', movie, ...wanted).ended;
  expect(output).toContain(`${movie} 640x360@59.94`);
  const { rows, parameters, environment } = readStreamRun(out('damaged'));
  expect(parameters).toMatchObject({ rate: '60000/1001', startFrame: 5, preload: true });
  expect(environment.source).toMatchObject({
    kind: 'hap',
    frames: 60,
    rateNumerator: 30,
    startFrame: 5,
    preload: true,
  });
  expect(rows[1]?.framesReceived).toBeGreaterThan(0);
  const { framesLateSource, framesLateSourceDamaged } = rows[1] ?? {};
  expect(framesLateSourceDamaged).toBeGreaterThanOrEqual(1);
  expect(framesLateSourceDamaged).toBeLessThanOrEqual(framesLateSource ?? 0);
  const reported = readEvents(out('damaged')).filter((event) => event.kind === 'source-damaged');
  expect(reported[0]?.text).toMatch(
    /damaged\.mov, frame \d*[02468] .+ byte \d+.+: the last good picture was shown instead/,
  );
  expectSums(rows);
});

test('Ctrl-C ends the run and keeps what was measured', async () => {
  const command = ramp(out('stopped'), '--hold', '30s');
  await command.says(/^Stream load: /m);
  await vi.waitFor(() => expect(readSamples(out('stopped')).length).toBeGreaterThan(4));
  command.signal('SIGINT');
  const { exitCode } = await command.ended;
  expect(exitCode).toBe(exitCodes.aborted);
  const run = readStreamRun(out('stopped'));
  expect(run.state).toBe('aborted');
  for (const row of run.rows) expect(row.measuredSeconds).toBeLessThan(30);
  await command.leavesNothingBehind();
});

test('stream hosts that are killed are events of the run, their row is INVALID, and what lived in them goes on', async () => {
  const flags = ['--start', '2', '--max-streams', '2', '--hold', '4s', '--invalid-retries', '1'];
  const command = ramp(out('killed-host'), ...flags, '--processes', 'each');
  await command.says(/^Stream load: /m);
  const events = (kind: string) => readEvents(out('killed-host')).filter((event) => event.kind === kind);
  await vi.waitFor(() => expect(events('stream-connected')).toHaveLength(2), { timeout: 60_000 });
  // Each stream has a sending process of its own, and one beside them is there for inspecting movies.
  expect(command.processes('streamhost.cjs sending')).toHaveLength(3);
  // The warm-up is over then, and the row is not: by the run's own samples.
  const samples = readSamples(out('killed-host')).length;
  await vi.waitFor(() => expect(readSamples(out('killed-host')).length).toBeGreaterThan(samples + 2));
  const [victim] = command.processes('streamhost.cjs sending').slice(-1);
  const [receiver] = command.processes('streamhost.cjs receiving');
  for (const processId of [victim, receiver]) process.kill(processId ?? Number.NaN, 'SIGKILL');
  const { exitCode } = await command.ended;
  const run = readStreamRun(out('killed-host'));
  expect(
    events('host-died')
      .map(({ details }) => details?.role)
      .sort(),
  ).toEqual(['receiving', 'sending']);
  expect(
    events('host-started')
      .map(({ details }) => details?.role)
      .sort(),
  ).toEqual(['receiving', 'sending']);
  expect(run.state).toBe('finished');
  const invalid = run.rows.filter((row) =>
    /our (sending|receiving) process (was killed|ended)/.test(row.reason),
  );
  expect(invalid.map((row) => [row.verdict, row.label])).toEqual([
    ['INVALID', expect.stringMatching(/^replaced by row \d$/)],
  ]);
  const after = run.rows.slice((invalid[0]?.row ?? 0) + 1);
  const namesOf = (row?: Row) => row?.perStream.map((stream) => stream.name.slice(-1));
  expect(namesOf(after.at(-1))).toEqual(['1', '2']);
  for (const stream of after.flatMap((row) => row.perStream))
    expect(stream.framesReceived).toBeGreaterThan(0);
  expectSums(after);
  expect(exitCode).toBe(exitCodeOf(run.verdict));
  await command.leavesNothingBehind();
});

test('the command itself killed: everything up to a second before is there, and nothing else goes on', async () => {
  const movie = join(folder, 'played.mp4');
  makeMovie(movie, { codec: ['-c:v', 'mpeg4'] });
  const command = ramp(out('killed'), '--source', movie, '--hold', '2s', '--max-streams', '8');
  // Not behind the first row with a stream: a machine without time loses frames in it, and the ramp ends.
  await command.says(/^Stream load: /m);
  const samples = await samplesComeAtOnce(out('killed'));
  await vi.waitFor(() => expect(readSamples(out('killed')).at(-1)?.streams).toBe(1));
  expect(command.processes('ffmpeg')).toHaveLength(1);
  const printed = command.output.match(/^ +\d+ +\d+ /gm)?.length ?? 0;
  command.signal('SIGKILL');
  await command.ended;
  const run = readStreamRun(out('killed'));
  expect(run.state).toBe('interrupted');
  expect(run.rows.length).toBeGreaterThanOrEqual(printed);
  expect(readSamples(out('killed')).length).toBeGreaterThanOrEqual(samples);
  await command.leavesNothingBehind();
});

test('an output folder that cannot be written is refused', async () => {
  writeFileSync(out('a-file'), '');
  const { exitCode, errors } = await ramp(join(out('a-file'), 'run')).ended;
  expect(errors).toMatch(/a-file\/run cannot be written \(ENOTDIR\)\. Choose a folder that you may write to/);
  expect(exitCode).toBe(exitCodes.environment);
});

test('a run is never written over', async () => {
  mkdirSync(out('taken'));
  writeFileSync(join(out('taken'), runFiles.rows), 'mine\n');
  const { exitCode, errors } = await ramp(out('taken')).ended;
  expect(errors).toMatch(
    /Expected a folder without a run in it for --out but received .+\. Choose another folder/,
  );
  expect(exitCode).toBe(exitCodes.badInput);
  expect(readFileSync(join(out('taken'), runFiles.rows), 'utf8')).toBe('mine\n');
});

test.runIf(process.getuid?.() === 0)('a full disk ends the run, and its rows are kept', async () => {
  const disk = out('disk');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48k', 'tmpfs', disk]);
  try {
    const command = ramp(join(disk, 'run'), '--hold', '1.5s', '--max-streams', '8');
    const { exitCode, errors } = await command.ended;
    expect(errors).toMatch(/The disk of .+ is full\. Free some space or choose another output folder/);
    expect(exitCode).toBe(exitCodes.environment);
    const { rows, state } = readStreamRun(join(disk, 'run'));
    expect(['failed', 'interrupted']).toContain(state);
    expect(rows.length).toBeGreaterThan(0);
    await command.leavesNothingBehind();
  } finally {
    execFileSync('umount', [disk]);
  }
});
