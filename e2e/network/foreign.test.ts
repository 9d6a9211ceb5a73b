// @module-tag machine

import type { ChildProcess } from 'node:child_process';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { readEvents } from '../../app/engine/sessions/read-run';
import type { RunEvent } from '../../app/facts/run';
import type { StreamView } from '../../app/protocol/console';
import { uniqueName, WhitelineCommand } from '../../app/testing/command';
import { readStreamRun, type StreamRow } from '../../app/testing/named-rows';
import { buildPlainSender, startPlainSender } from '../../app/testing/plain-sender';
import { outputPaths, temporaryFolder } from '../../app/testing/temporary-folder';
import { Network, senderAddress, withoutBus } from './network';

const folder = temporaryFolder();
const pathFor = outputPaths(folder);
let program = '';
let network: Network;
let sender: ChildProcess | null = null;

beforeAll(() => {
  program = buildPlainSender(folder);
});

beforeEach(async () => {
  network = await Network.create();
});

afterEach(() => {
  sender?.kill('SIGKILL');
  network.close();
});

async function send(name: string, flags: string[]): Promise<void> {
  sender = await startPlainSender(program, name, flags, withoutBus, network.sender.inside);
}

async function watch(name: string) {
  const out = pathFor(name);
  const flags = ['--duration', '8', '--from', senderAddress, '--out', out, '--json'];
  const command = new WhitelineCommand(['watch', name, ...flags], withoutBus, network.receiver.inside);
  const { output, errors } = await command.ended;
  const { rows } = readStreamRun(out);
  const stream = rows[0]?.perStream[0];
  if (!stream) throw new Error(`no row: ${errors}`);
  return { stream, output, events: readEvents(out) };
}

function expectMethod(stream: StreamRow, events: RunEvent[], method: RegExp): void {
  expect(stream.reason).toMatch(method);
  expect(events.some(({ text }) => method.test(text))).toBe(true);
}

test('a sender that declares 60 frames a second and sends 30 is followed by timestamps, and its gaps are found', async () => {
  const name = uniqueName();
  await send(name, ['--declared', '60/1', '--real', '30/1', '--leave-out', '200-204,230,260-269']);
  const { stream, output, events } = await watch(name);
  expect(stream).toMatchObject({
    ...{ method: 'timestamps', framesMissing: 16, framesSenderMissed: null, framesUndecodable: null },
    ...{ framesDuplicated: 0, framesReordered: 0, gapHistogram: { of1: 1, of3to5: 1, of6to10: 1 } },
  });
  expect(stream.losses.map(({ stage, frames }) => [stage, frames])).toEqual([
    ['missing', 5],
    ['missing', 1],
    ['missing', 10],
  ]);
  expect((stream.framesReceived ?? 0) + 16).toBeGreaterThan(7.5 * 30);
  expect((stream.framesReceived ?? 0) + 16).toBeLessThan(8.5 * 30);
  // The rate is that of the first 0.8 s: stamps that a busy sender writes 2 ms late (RMS) move it by up to 0.03.
  const method =
    /by timestamps against the measured rate of (29\.9[5-9]|30(\.0[1-5])?) frames a second \(60 declared; whether every other one is left out is not known\)/;
  expectMethod(stream, events, method);
  const views = output.split('\n').filter((line) => line.includes('"type":"view"'));
  // The newest view is up to a second older than the row.
  const view = JSON.parse(views.at(-1) ?? '{}') as StreamView;
  expect(view.method).toBe('timestamps');
  expect([6, 16]).toContain(view.framesMissing);
});

test('fields are followed one by one, at twice the rate of the frames', async () => {
  const name = uniqueName();
  const flags = ['--declared', '25/1', '--real', '25/1', '--fields', '1', '--leave-out', '160-164,200'];
  await send(name, flags);
  const { stream, events } = await watch(name);
  expect(stream.losses.map(({ frames }) => frames)).toEqual([10, 2]);
  expect(stream).toMatchObject({ method: 'timestamps', framesMissing: 12, framesDuplicated: 0 });
  expect(stream.framesReceived).toBe(stream.picturesCaptured);
  expectMethod(stream, events, /by timecodes against the declared rate of 50 fields a second/);
});
