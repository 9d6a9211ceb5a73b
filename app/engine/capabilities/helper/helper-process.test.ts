import { beforeEach, expect, test } from 'vitest';
import { echoHelper } from '../../../testing/echo-helper';
import { type HelperScript, type ScriptedHelper, scriptedLaunch } from '../../../testing/scripted-helper';
import { SimulatedClock } from '../../../testing/simulated-clock';
import { helperLimits } from './helper-watch';
import { Helpers, type StartedHelper } from './helpers';

// Real processes: helper-process.helper.test.ts.
let clock: SimulatedClock;
let helpers: Helpers;
let started: ScriptedHelper[];
let events: { kind: string; text: string; details?: Record<string, unknown> }[];
let script: HelperScript;
const ready = { type: 'ready', mostLineBytes: 1 };
/** What it does beside answering: by the text that it is sent. */
let deeds: Record<string, (helper: ScriptedHelper) => void>;

beforeEach(() => {
  clock = new SimulatedClock();
  [events, deeds] = [[], {}];
  script = {
    ready,
    onCommand(command, helper) {
      const { text } = Object(command);
      const deed = deeds[text];
      if (deed) deed(helper);
      else helper.say({ type: 'echo', ...Object(command) });
    },
  };
  const scripted = scriptedLaunch(clock, () => script);
  started = scripted.started;
  helpers = new Helpers(
    clock,
    (kind, text, details) => events.push({ kind, text, details }),
    scripted.launch,
  );
});

type Echo = StartedHelper<
  { type: 'ready' },
  { type: 'echo'; text: string },
  { type: 'echo'; text: string }
>['helper'];

async function start(does: typeof deeds = {}): Promise<{ helper: Echo; process: ScriptedHelper }> {
  deeds = does;
  const { helper } = await clock.until(helpers.start(echoHelper()));
  const process = started.at(-1);
  if (!process) throw new Error('it was started');
  return { helper, process };
}

const tell = (helper: Echo, text: string): Promise<void> => helper.send({ type: 'echo', text });
const secondsFrom = (startNs: number): number => (clock.monotonicNs() - startNs) / 1e9;

test('what it said before its end is there after it, and the end is in order', async () => {
  const { helper, process } = await start();
  expect(helpers.processIds).toEqual({ echo: [process.pid] });
  await tell(helper, 'one');
  await tell(helper, 'two');
  expect(await clock.until(helper.stop())).toEqual({ exitCode: 0, endSignal: null });
  expect(await helper.receive()).toMatchObject({ text: 'one' });
  expect(await helper.receive()).toMatchObject({ text: 'two' });
  expect(await helper.receive()).toBeNull();
  await expect(tell(helper, 'late')).rejects.toMatchObject({ code: 'ABORTED' });
  expect([helpers.processIds, helpers.died, events]).toEqual([{}, [], []]);
});

test('a command that fits no schema is refused before it is sent', async () => {
  const { helper } = await clock.until(helpers.start(echoHelper()));
  await expect(helper.send({ type: 'slow', pauseMs: Number.NaN })).rejects.toThrow(/pauseMs/);
  await helper.send({ type: 'echo', text: 'well' });
  expect(await helper.receive()).toMatchObject({ text: 'well' });
});

test('a crash is an event, and ends all that waits with its signal and its last words', async () => {
  const { helper } = await start({ crash: (process) => process.die('SIGABRT', 'assertion failed\n') });
  const waiting = [helper.receive(), helper.receive()];
  await tell(helper, 'crash');
  const message = 'The echo helper was ended by SIGABRT. Its last words: assertion failed';
  const problem = { code: 'HOST_DIED', message, field: 'helper', remedy: expect.any(String) };
  for (const answer of await Promise.allSettled(waiting)) expect(answer).toMatchObject({ reason: problem });
  await expect(tell(helper, 'late')).rejects.toMatchObject(problem);
  await expect(helper.receive()).rejects.toMatchObject(problem);
  const details = { helper: 'echo helper', exitCode: null, endSignal: 'SIGABRT' };
  expect(events).toEqual([{ kind: 'helper-died', text: message, details }]);
  const how = 'was ended by SIGABRT. Its last words: assertion failed';
  expect(helpers.died).toEqual([{ helper: 'echo helper', how }]);
});

test('an end of its own is a death too, and only the end of its last words is kept', async () => {
  const lastWords = `${'x'.repeat(500_000)}: no such device`;
  const { helper } = await start({ end: (process) => process.exit(3, lastWords) });
  await tell(helper, 'end');
  const problem = await helper.receive().catch((error) => error);
  expect(problem.message).toMatch(/^The echo helper ended with code 3\. Its last words: x+: no such device$/);
  expect(problem.message).toHaveLength('The echo helper ended with code 3. Its last words: '.length + 500);
});

test('one that hangs is ended 10 s after it said something', async () => {
  const { helper, process } = await start({ hang: (one) => one.hang() });
  await clock.pass(60_000);
  await tell(helper, 'hang');
  const hungNs = clock.monotonicNs();
  const failed = expect(helper.receive()).rejects.toMatchObject({
    code: 'HOST_SILENT',
    message: 'The echo helper gave no sign of life for 10 s and was ended',
  });
  await clock.until(helper.ended);
  await failed;
  // It is looked every 100 ms.
  expect(secondsFrom(hungNs)).toBe(10.1);
  expect(process.signals).toEqual(['SIGKILL']);
  expect(events).toMatchObject([{ kind: 'helper-died', details: { endSignal: 'SIGKILL' } }]);
});

test('one that is not ready in time is ended, and is no death', async () => {
  script = { ready: null };
  const failed = expect(clock.until(helpers.start(echoHelper()))).rejects.toMatchObject({
    code: 'HOST_SILENT',
    message: 'The echo helper was not ready within 10 s and was ended',
  });
  await failed;
  expect(started[0]?.signals).toEqual(['SIGKILL']);
  expect([helpers.processIds, events]).toEqual([{}, []]);
});

test('a flood is held up, goes on when it is read, and is ended when nothing is taken for 30 s', async () => {
  const text = 'x'.repeat(200);
  const line = `${JSON.stringify({ type: 'echo', text })}\n`;
  let written = 0;
  const flood = (process: ScriptedHelper): void => {
    while (!process.isOver && process.stdout.write(line)) written += line.length;
    process.stdout.once('drain', () => flood(process));
  };
  const { helper } = await start({ flood });
  await tell(helper, 'flood');
  await clock.pass(100);
  const mostBytes = helperLimits.unreadBytes + 64 * 1024;
  expect(helper.unreadBytes).toBeGreaterThanOrEqual(helperLimits.unreadBytes);
  expect(helper.unreadBytes).toBeLessThan(mostBytes);
  expect(written).toBeLessThan(2 * mostBytes);
  const writtenBefore = written;
  let [whole, most] = [0, 0];
  for (let taken = 0; taken < 20_000; taken += 1) {
    if ((await helper.receive())?.text === text) whole += 1;
    most = Math.max(most, helper.unreadBytes);
  }
  expect(whole).toBe(20_000);
  expect(most).toBeLessThan(mostBytes);
  expect(written).toBeGreaterThan(writtenBefore + 2_000_000);
  await clock.pass(helperLimits.unreadMs);
  expect(events).toEqual([]);
  await clock.pass(500);
  expect(events).toHaveLength(1);
  expect(events[0]?.text).toBe(
    'The echo helper was ended, since more than 262144 bytes that it sent waited for 30 s and were not taken',
  );
});

test.each([
  ['no JSON', 'Hello!\n', /a line that is no JSON: Hello!$/],
  ['an empty line', '\n', /a line that is no JSON: \(empty\)$/],
  [
    'no UTF-8',
    Buffer.from([...Buffer.from('{"type":"echo","text":"'), 0xff, 0x0a]),
    /a line that is no UTF-8: \{"type"/,
  ],
  ['no object', '17\n', /a line without a type: 17$/],
  ['no type', '{"text":"a"}\n', /a line without a type: \{"text":"a"\}$/],
  ['an unknown type', '{"type":"b"}\n', /"b" that was not agreed upon \(type: /],
  ['a wrong field', '{"type":"echo","text":1}\n', /"echo" that .*\(text: .*number/],
  ['a huge line', 'x'.repeat(2_000_000), /a line of more than 1048576 bytes$/],
])('%s ends it, with a clear error, and what came before is not lost', async (_, said, message) => {
  const { helper, process } = await start({ say: (one) => one.write(said) });
  await tell(helper, 'before');
  await tell(helper, 'say');
  expect(await helper.receive()).toMatchObject({ text: 'before' });
  const problem = await clock.until(helper.receive().catch((error) => error));
  expect(problem).toMatchObject({
    code: 'TOOL_FAILED',
    value: 'echo helper',
    message: expect.stringMatching(message),
  });
  expect(problem.message).toMatch(/^The echo helper was ended, since it sent /);
  expect(problem.message.length).toBeLessThan(400);
  expect([helper.processIds, process.signals]).toEqual([[], ['SIGKILL']]);
  expect(events).toMatchObject([{ kind: 'helper-died' }]);
});

test('half a line at its end is an error', async () => {
  const { helper } = await start({ half: (process) => process.write('{"type":"ec') });
  await tell(helper, 'half');
  await clock.until(helper.stop());
  await expect(helper.receive()).rejects.toMatchObject({
    message: 'The echo helper ended in the middle of a message',
  });
});

test('one that does not read makes a sender wait, and gets all of it later', async () => {
  const text = 'x'.repeat(64 * 1024);
  const { helper, process } = await start();
  process.readNothing();
  let sent = 0;
  const sending = Promise.all(
    Array.from({ length: 20 }, () =>
      tell(helper, text).then(() => {
        sent += 1;
      }),
    ),
  );
  await clock.pass(5000);
  expect(sent).toBe(0);
  process.readOn();
  await clock.until(sending);
  expect(sent).toBe(20);
  for (let taken = 0; taken < 20; taken += 1) expect((await helper.receive())?.text).toBe(text);
});

test('one that ignores the word is ended by SIGTERM after 3 s, one that ignores that by SIGKILL 2 s later', async () => {
  const { helper, process } = await start();
  script.onStop = () => undefined;
  process.survives.add('SIGTERM');
  await tell(helper, 'said');
  const stopped = helper.stop();
  await clock.pass(3000);
  expect(process.signals).toEqual([]);
  await clock.pass(100);
  expect(process.signals).toEqual(['SIGTERM']);
  await clock.pass(2000);
  expect(process.signals).toEqual(['SIGTERM']);
  expect(await clock.until(stopped)).toEqual({ exitCode: null, endSignal: 'SIGKILL' });
  expect(process.signals).toEqual(['SIGTERM', 'SIGKILL']);
  expect(await helper.receive()).toMatchObject({ text: 'said' });
  await expect(helper.receive()).rejects.toMatchObject({
    message: 'The echo helper did not stop in order: it was killed (SIGKILL)',
  });
  expect(events).toHaveLength(1);
});

test('one that SIGKILL does not end is given up', async () => {
  const { helper, process } = await start();
  script.onStop = () => undefined;
  process.survives.add('SIGTERM').add('SIGKILL');
  const startNs = clock.monotonicNs();
  expect(await clock.until(helper.stop())).toEqual({ exitCode: null, endSignal: null });
  expect(secondsFrom(startNs)).toBeCloseTo(10.3, 6);
  await expect(helper.receive()).rejects.toMatchObject({
    message: `The echo helper (process ${process.pid}) is still there 5 s after SIGKILL: it waits in the kernel`,
  });
  expect(helpers.processIds).toEqual({});
  expect(events).toHaveLength(1);
});

test('one that closes its input is ended after a second', async () => {
  const { helper } = await start({ close: (process) => process.closeInput() });
  const sent = Promise.allSettled([tell(helper, 'close'), tell(helper, 'never')]);
  const reason = { message: 'The echo helper does not read commands any more and was ended' };
  await clock.pass(1000);
  expect(events).toEqual([]);
  await clock.pass(200);
  expect(await sent).toMatchObject([{ reason }, { reason }]);
});

test('one that ends before it is ready, or says something else first, did not start', async () => {
  script = { ready: { type: 'echo' } };
  await expect(clock.until(helpers.start(echoHelper()))).rejects.toMatchObject({
    message: expect.stringMatching(/message "echo" that was not agreed upon/),
  });
  script = { ready: null };
  const failed = expect(helpers.start(echoHelper())).rejects.toMatchObject({
    message: 'The echo helper ended with code 4. Its last words: no licence',
  });
  started.at(-1)?.exit(4, 'no licence');
  await clock.pass(100);
  await failed;
  expect(events).toEqual([]);
});

test('an abort stops it, also before it is ready', async () => {
  const early = new AbortController();
  script = { ready: null };
  const failed = expect(helpers.start(echoHelper(), { signal: early.signal })).rejects.toMatchObject({
    code: 'ABORTED',
  });
  early.abort();
  await clock.pass(100);
  await failed;
  script = { ready };
  const late = new AbortController();
  const { helper } = await clock.until(helpers.start(echoHelper(), { signal: late.signal }));
  const waiting = helper.receive();
  late.abort();
  expect(await clock.until(waiting)).toBeNull();
  await expect(helpers.start(echoHelper(), { signal: late.signal })).rejects.toMatchObject({
    code: 'ABORTED',
  });
});
