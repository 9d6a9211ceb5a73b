import { spawnSync } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { readEvents } from '../engine/sessions/read-run';
import type { Cut } from '../facts/cut';
import { exitCodes } from '../protocol/errors';
import { beforeOthers, uniqueName, WhitelineCommand } from '../testing/command';
import { Mixer, mixerLibrary, mixerProgram } from '../testing/mixer';
import { readStreamRun } from '../testing/named-rows';
import { outputPaths, temporaryFolder } from '../testing/temporary-folder';

const pathFor = outputPaths(temporaryFolder());
const ended: (() => void)[] = [];

afterEach(() => {
  for (const end of ended.splice(0)) end();
});

const readySchema = z.object({
  streams: z.array(
    z.object({ name: z.string(), sourceId: z.int().nullish(), sourceName: z.string().nullish() }),
  ),
});

/** The streams of the `ready` line. */
function streamsOf(output: string) {
  const line = output.split('\n').find((one) => one.startsWith('{"type":"ready"'));
  return readySchema.parse(JSON.parse(line ?? '')).streams;
}

async function sending(name: string): Promise<WhitelineCommand> {
  const flags = ['--streams', '2', '--own-sources', '--format', '640x360@30', '--no-audio', '--json'];
  const send = new WhitelineCommand(['send', '--name', name, ...flags], {}, beforeOthers);
  ended.push(() => send.signal('SIGINT'));
  await send.says(/^\{"type":"ready"/m);
  return send;
}

async function mixing(name: string, sources: readonly string[]): Promise<Mixer> {
  const mixer = new Mixer(name, sources);
  ended.push(() => mixer.end());
  await mixer.ready;
  return mixer;
}

function cutsIn(path: string): Cut[] {
  return readEvents(path).flatMap(({ kind, details }) => (kind === 'cut' ? [details?.cut as Cut] : []));
}

test('each fault of a mixer at its cuts is told apart from the others, and counted as it was put in', async () => {
  const name = uniqueName();
  const send = await sending(name);
  const sources = streamsOf(send.output);
  const [first, second] = sources.map(({ sourceId }) => sourceId);
  expect(first).not.toBe(second);
  const mixer = await mixing(`${name}-mixer`, [`${name} 1`, `${name} 2`]);
  const out = pathFor('faults');
  const names = [`${name}-mixer`, `${name} 2`];
  const words = ['watch', ...names, '--programme', '--max-duplicates', '0', '--json', '--out', out];
  const watch = new WhitelineCommand(words, {}, beforeOthers);
  await watch.says(/^\{"type":"ready"/m);
  expect(streamsOf(watch.output)[0]?.sourceName).toBe(await mixer.ready);

  let seen = 0;
  /** Cuts, and waits until the watch has told it. */
  const cutTo = async (input: number): Promise<void> => {
    await mixer.cutTo(input);
    seen += 1;
    await watch.says(new RegExp(`(^\\{"type":"cut"[^]*){${seen}}`, 'm'));
  };
  await cutTo(2);
  await mixer.command('drop 3');
  await cutTo(1);
  await mixer.command('drop 0');
  await mixer.command('repeat 1');
  await cutTo(2);
  await mixer.command('repeat 0');
  await mixer.command('stuck 1');
  await mixer.command('cut 1');
  await mixer.command('stuck 0');
  await mixer.command('late 700');
  await cutTo(1);
  watch.signal('SIGINT');
  const { exitCode, output, errors } = await watch.ended;

  // A source whose process died plays on as another one, with an id of its own: no cut of the mixer.
  expect(send.errors + errors).not.toMatch(/process (?:ended|was ended|was killed)/);
  const cuts = cutsIn(out);
  expect(cuts.map(({ from, to }) => [from.sourceId, to.sourceId])).toEqual([
    ...[
      [first, second],
      [second, first],
    ],
    ...[
      [first, second],
      [second, first],
    ],
  ]);
  // The name of a sender that is watched beside the mixer; of the other its id is known.
  expect(cuts.map(({ to }) => to.name)).toEqual([`${name} 2`, null, `${name} 2`, null]);
  // The mixer says itself what it did; a busy machine may have made it repeat a picture.
  expect(cuts.map(({ missing, repeated }) => ({ missing, repeated }))).toEqual(
    mixer.shown.map(({ skipped, repeated }) => ({ missing: skipped, repeated })),
  );
  expect(mixer.shown.map(({ skipped }) => skipped)).toEqual([0, 3, 0, 0]);
  expect(mixer.shown[2]?.repeated).toBeGreaterThanOrEqual(1);
  const commandedMs = Date.parse(cuts[2]?.at ?? '');
  expect(Date.parse(cuts[3]?.at ?? '') - commandedMs).toBeGreaterThanOrEqual(700);

  const { rows } = readStreamRun(out);
  const programme = rows.flatMap((row) =>
    row.perStream.filter(({ name }) => name.endsWith('mixer')).map((stream) => ({ row, stream })),
  );
  const sum = (of: 'cuts' | 'picturesWrongSource'): number =>
    programme.reduce((total, { stream }) => total + (stream[of] ?? 0), 0);
  expect([sum('cuts'), sum('picturesWrongSource')]).toEqual([4, 0]);
  // A row has what its cuts have, and does not measure it where a busy machine made one of them an estimate.
  for (const { row, stream } of programme) {
    const inRow = cuts.filter(({ at }) => at >= row.startedAt && at < row.endedAt);
    const missing = inRow.reduce((total, cut) => total + cut.missing, 0);
    const isUnclear = inRow.some(({ isEstimate }) => isEstimate);
    expect([stream.cuts, stream.framesMissingAtCuts]).toEqual([inRow.length, isUnclear ? null : missing]);
  }
  expect(output).not.toMatch(/no picture for|no new picture|stood still/);
  // The repeated picture breaks the rule of this watch.
  expect(exitCode).toBe(exitCodes.fail);
  expect(JSON.parse(output.trim().split('\n').at(-1) ?? '')).toMatchObject({
    ...{ type: 'end', verdict: 'FAIL', exitCode, folder: out },
    reason: expect.stringMatching(/^\d+ pictures? came again, where 0 may; /),
  });
});

const waitingMixer = (input: string) => {
  const words = ['--library', mixerLibrary, '--name', uniqueName(), 'Nobody 1', 'Nobody 2'];
  return spawnSync(mixerProgram, words, { input, encoding: 'utf8' });
};

test('a mixer whose input ends at once ends with status 0, each time', () => {
  const ends = Array.from({ length: 10 }, () => waitingMixer(''));
  for (const end of ends) expect(end).toMatchObject({ status: 0, stdout: '', stderr: '' });
});

test.each(['bogus 5', 'cut 3'])(
  'a mixer ends for the command %s with status 2 and a line, though its inputs are not there yet',
  (command) => {
    expect(waitingMixer(`${command}\n`)).toMatchObject({
      status: 2,
      stderr: `Expected a command but received ${command}\n`,
    });
  },
);
