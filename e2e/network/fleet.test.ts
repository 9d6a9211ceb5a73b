import { expect, test, vi } from 'vitest';
import { readSamples } from '../../app/engine/sessions/read-run';
import { exitCodes } from '../../app/protocol/errors';
import { range } from '../../app/testing/columns';
import { uniqueName, type WhitelineCommand } from '../../app/testing/command';
import { capturedIn } from '../../app/testing/fleet-here';
import { readStreamRun } from '../../app/testing/named-rows';
import { fleetScene } from './fleet-scene';

// Console, render and display machine, each with network, host name and clock of its own, at one switch. Real nats-server, real NDI.

const scene = fleetScene({ 'render-1': ['--media', 'test-content'], 'display-1': [] });

/** As it is called in the media folder of `render-1`. */
const movie = 'bars-640x360-30-hap.mov';

function ramp(to: string, ...words: string[]): WhitelineCommand {
  return scene.whiteline(
    ...['run', 'stream-load', '--send-on', 'render-1', '--receive-on', 'display-1', '--format', '640x360@30'],
    ...['--max-streams', '1', '--warm-up', '500ms', '--invalid-retries', '0', '--name', uniqueName()],
    ...['--stop-on', 'sender-miss', '--out', to, ...words],
  );
}

test('a movie of one machine is shown on another one, and the console counts what both report', async () => {
  const to = scene.out('between');
  const { output, errors } = await ramp(
    to,
    '--hold',
    '3s',
    '--source',
    movie,
    '--inject',
    'skip:31-35; miss:60',
  ).ended;
  expect(errors).not.toMatch(/ended|given up/);
  expect(output).toContain('from render-1 to display-1');
  const { rows, environment } = readStreamRun(to);
  expect(environment).toMatchObject({ topology: 'sender on render-1, receiver on display-1' });
  expect(environment.hosts).toMatchObject([
    {},
    { machine: { name: 'render-1' } },
    { machine: { name: 'display-1' } },
  ]);
  expect(new Set(readSamples(to).map(({ machine }) => machine)).size).toBe(3);
  // Each machine has a network of its own: pictures leave the one and reach the other by its card.
  const { sender, receiver, bitrateMbps } = rows.at(-1) ?? {};
  for (const side of [sender, receiver])
    expect(side?.networkMaxMbps ?? Number.POSITIVE_INFINITY).toBeGreaterThan((bitrateMbps ?? 0) / 2);
  const [stream] = rows.at(-1)?.perStream ?? [];
  const [first, last] = [stream?.firstFrame ?? 0, stream?.lastFrame ?? 0];
  expect(stream?.framesReceived).toBe(capturedIn(scene.fleet.captureLog('display-1'), first, last));
  expect(stream?.framesScheduled).toBe((stream?.framesSubmitted ?? 0) + (stream?.framesSenderMissed ?? 0));
  expect(stream?.droppedFrames).toEqual(expect.arrayContaining(range(first + 31, first + 35)));
  expect(stream?.missedFrames).toContain(first + 60);
  expect(stream?.conserved).toBe(true);
});

test('a cable that is gone for longer than the lease: the row is INVALID by name, and no sender is left', async () => {
  const to = scene.out('cable');
  const run = ramp(to, '--hold', '20s');
  await vi.waitFor(() => expect(run.output + run.errors).toMatch(/1 of 1 · Measuring/), { timeout: 60_000 });
  scene.site.setCable('render-1', 'down');
  const { exitCode } = await run.ended;
  await vi.waitFor(() => expect(scene.agents['render-1'].processes('streamhost')).toEqual([]), {
    timeout: 30_000,
  });
  const row = readStreamRun(to).rows.at(-1);
  expect(row?.verdict).toBe('INVALID');
  expect(row?.reason).toContain('render-1 was not reachable from ');
  expect(exitCode).toBe(exitCodes.invalid);
});
