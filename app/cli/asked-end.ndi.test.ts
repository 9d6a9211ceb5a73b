// @module-tag machine

import { afterEach, expect, test } from 'vitest';
import { readEvents } from '../engine/sessions/read-run';
import { uniqueName, WhitelineCommand } from '../testing/command';
import { readStreamRun } from '../testing/named-rows';
import { outputPaths, temporaryFolder } from '../testing/temporary-folder';

const pathFor = outputPaths(temporaryFolder());
let sender: WhitelineCommand | null = null;
afterEach(() => sender?.signal('SIGKILL'));

/** What a watch says of a sender that ends in the middle of it. */
async function watched(flags: readonly string[], end: (sender: WhitelineCommand) => unknown) {
  const name = uniqueName();
  const out = pathFor(name);
  sender = new WhitelineCommand(['send', '--format', '640x360@30', '--name', name, ...flags]);
  await sender.says(/^Sending /m);
  const watch = new WhitelineCommand(['watch', `${name} 1`, '--duration', '20s', '--out', out]);
  await watch.says(/^Measuring/m);
  await end(sender);
  await sender.ended;
  await watch.ended;
  const run = readStreamRun(out);
  const streams = run.rows.flatMap(({ perStream }) => perStream);
  return {
    ...run,
    outages: streams.flatMap(({ outages = [] }) => outages),
    kinds: readEvents(out).map(({ kind }) => kind),
  };
}

const pause = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1000));

test.each<[string, string[], (sender: WhitelineCommand) => unknown]>([
  ['its time is over', ['--duration', '15s'], () => undefined],
  ['Ctrl-C', [], (running) => pause(4).then(() => running.signal('SIGINT'))],
])('a sender that ends as asked (%s) is no outage', async (_, flags, end) => {
  const { outages, kinds, reason } = await watched(flags, end);
  expect(kinds).toContain('sender-ended');
  expect(reason).toMatch(/ ended as asked at \d\d:\d\d:\d\d UTC/);
  expect(outages).toEqual([]);
});

test('one that is killed is an outage', async () => {
  const { outages, kinds } = await watched([], (running) => pause(4).then(() => running.signal('SIGKILL')));
  expect(kinds).not.toContain('sender-ended');
  expect(outages.length).toBeGreaterThan(0);
});
