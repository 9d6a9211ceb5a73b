import { beforeEach, expect, test, vi } from 'vitest';
import type { EngineMessage, PreviewMessage } from '../protocol/console';
import { badInput } from '../protocol/errors';
import type { LoadSample } from '../protocol/load';
import { exampleRow } from '../testing/example-run';
import { loadSample } from '../testing/load-sample';
import { SimulatedClock } from '../testing/simulated-clock';
import { ConsoleServer, type WindowPort } from './console-server';
import type { Engine, EngineListener } from './engine';
import type { PreviewLook } from './streams/remote-previews';

class FakeWindow implements WindowPort {
  readonly messages: EngineMessage[] = [];
  send: (message: unknown) => void = () => undefined;
  close: () => void = () => undefined;

  post(message: EngineMessage): void {
    this.messages.push(message);
  }

  onMessage(listener: (message: unknown) => void): void {
    this.send = listener;
  }

  onClose(listener: () => void): void {
    this.close = listener;
  }

  types(): string[] {
    return this.messages.map((message) => message.type);
  }
}

let clock: SimulatedClock;
let listener: EngineListener;
let window: FakeWindow;
let samples: LoadSample[];
let rows: ReturnType<Engine['rows']>;
let look: PreviewLook;
let lookedBy: string;
let server: ConsoleServer;
let run: { id: string; verdict: string | null } | null;
const commands = {
  stop: vi.fn(async () => null),
  checkParameters: vi.fn<Engine['commands']['checkParameters']>(),
};

beforeEach(() => {
  clock = new SimulatedClock();
  commands.stop.mockClear();
  run = null;
  samples = [];
  rows = { closed: [], open: null };
  const engine = {
    ...{
      samples,
      marks: [],
      commands,
      state: () => ({ run }),
      rows: () => rows,
      previews: {
        look: async (_: unknown, right: string) => {
          lookedBy = right;
          return look;
        },
      },
    },
    listen: (heard: EngineListener) => {
      listener = heard;
    },
  };
  server = new ConsoleServer(engine as unknown as Engine, clock);
  window = new FakeWindow();
  server.add(window);
});

async function ask(message: unknown) {
  window.send(message);
  await clock.pass(0);
  return window.messages.filter((answer) => answer.type === 'reply').at(-1);
}

test('a command is carried out and answered under its number', async () => {
  const reply = await ask({ type: 'request', requestId: 7, command: { name: 'stop' } });
  expect(commands.stop).toHaveBeenCalledOnce();
  expect(reply).toEqual({ type: 'reply', requestId: 7, result: null, problem: null });
});

test('hello is answered with all there is to show', async () => {
  await ask({ type: 'request', requestId: 1, command: { name: 'hello' } });
  expect(window.types()).toEqual(['state', 'marks', 'rows', 'reply']);
});

test('a window learns by its hello whether it may operate', async () => {
  const looking = new FakeWindow();
  server.add(looking, 'look');
  const hello = { type: 'request', requestId: 1, command: { name: 'hello' } };
  expect(await ask(hello)).toMatchObject({ result: 'operate' });
  looking.send(hello);
  await clock.pass(0);
  expect(looking.messages.at(-1)).toMatchObject({ type: 'reply', result: 'look' });
});

test('an hour of samples is reported in pieces, none left out', async () => {
  for (let number = 0; number < 7200; number += 1) samples.push(loadSample({ wallMs: number }));
  await ask({ type: 'request', requestId: 1, command: { name: 'hello' } });
  const pieces = window.messages.flatMap((message) => (message.type === 'samples' ? [message.samples] : []));
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(300);
  expect(pieces.flat()).toEqual(samples);
});

test('a window that has a movie checked learns with the answer what is particular about how it is played', async () => {
  const command = { name: 'checkParameters', experiment: 'stream-load', parameters: { source: 'film.mov' } };
  const played = { source: 'film.mov', remarks: ['turned 90° clockwise'], movie: null };
  commands.checkParameters.mockResolvedValueOnce(played);
  await ask({ type: 'request', requestId: 5, command });
  expect(commands.checkParameters).toHaveBeenCalledWith({
    ...{ experiment: 'stream-load', parameters: { source: 'film.mov' } },
  });
  expect(window.messages).toEqual([{ type: 'reply', requestId: 5, result: played, problem: null }]);
});

test('what goes wrong reaches the window as a problem', async () => {
  commands.stop.mockRejectedValueOnce(badInput('format', 'a format', 'x', 'Use 1'));
  const reply = await ask({ type: 'request', requestId: 2, command: { name: 'stop' } });
  expect(reply).toMatchObject({
    requestId: 2,
    problem: { code: 'BAD_INPUT', field: 'format', remedy: 'Use 1' },
  });
});

test.each([
  [{ type: 'request', requestId: 3, command: { name: 'explode' } }, 3],
  [{ requestId: 4 }, 4],
  ['text', -1],
  [null, -1],
  [{ requestId: { toString: 1, valueOf: 1 } }, -1],
])('%j is refused, and nothing is done', async (message, requestId) => {
  expect(await ask(message)).toMatchObject({ requestId, problem: { code: 'BAD_INPUT' } });
  expect(commands.stop).not.toHaveBeenCalled();
});

const ring: unknown[] = [];
ring.push(ring);

test.each([
  ['nested deeper than a stack', JSON.parse('['.repeat(50_000) + ']'.repeat(50_000))],
  ['a number without JSON', 1n],
  ['a ring', ring],
])('what is %s is refused wherever it stands', async (kind, value) => {
  const inCommands = [
    { name: value },
    { name: 'followSource', source: value },
    ...(kind === 'a number without JSON'
      ? []
      : [
          { name: 'startPlan', plan: value },
          { name: 'startExperiment', experiment: 'link', parameters: { value } },
        ]),
  ];
  for (const command of inCommands) {
    const answer = await ask({ type: 'request', requestId: 1, command });
    expect(answer).toMatchObject({ requestId: 1, problem: { code: 'BAD_INPUT' } });
  }
  const answer = await ask({ type: 'request', requestId: value, command: { name: 'stop' } });
  expect(answer).toMatchObject({ requestId: -1, problem: { code: 'BAD_INPUT' } });
  expect(commands.stop).not.toHaveBeenCalled();
});

test('a burst of changes is reported at most four times a second, each sample once', async () => {
  for (let step = 0; step < 20; step++) {
    for (let change = 0; change < 50; change++) listener.onChange();
    if (step % 10 === 0)
      listener.onSample(loadSample({ wallMs: step, lostPerSecond: step === 0 ? null : 2 }));
    await clock.pass(50);
  }
  const states = window.messages.filter((message) => message.type === 'state');
  expect(states.length).toBeGreaterThanOrEqual(3);
  expect(states.length).toBeLessThanOrEqual(5);
  const reported = window.messages.flatMap((message) => (message.type === 'samples' ? [message] : []));
  expect(reported.flatMap((message) => message.samples.map((sample) => sample.wallMs))).toEqual([0, 10]);
  expect(reported.flatMap((message) => message.losses)).toEqual([
    { wallMs: -1000, lostPerSecond: null },
    { wallMs: -990, lostPerSecond: 2 },
  ]);
});

test('what changed is shown with the next view of the streams, and not once more', async () => {
  listener.onChange();
  listener.onView();
  expect(window.types()).toContain('state');
  listener.onView();
  window.messages.length = 0;
  await clock.pass(249);
  expect(window.messages).toEqual([]);
});

test('a window that is closed receives nothing more', async () => {
  window.close();
  listener.onChange();
  await clock.pass(1000);
  expect(window.messages).toEqual([]);
});

test('the rows of a run come with its verdict, however short the time since the last ones', async () => {
  run = { id: '1', verdict: null };
  listener.onChange();
  await clock.pass(250);
  window.messages.length = 0;
  listener.onChange();
  await clock.pass(250);
  expect(window.types()).not.toContain('rows');
  run = { id: '1', verdict: 'PASS' };
  listener.onChange();
  await clock.pass(250);
  expect(window.types()).toContain('rows');
});

test('a closed row is reported once, and the open one alone as it goes on', async () => {
  run = { id: '1', verdict: null };
  rows = { closed: [exampleRow(0), exampleRow(1)], open: exampleRow(2) };
  await ask({ type: 'request', requestId: 1, command: { name: 'hello' } });
  const reported = () =>
    window.messages.flatMap((message) =>
      message.type === 'rows'
        ? [[message.from, message.rows.map(({ index }) => index), message.provisional]]
        : [],
    );
  const second = async (): Promise<void> => {
    listener.onChange();
    await clock.pass(1000);
  };
  expect(reported()).toEqual([[0, [0, 1, 2], 2]]);
  await second();
  await second();
  expect(reported().slice(-1)).toEqual([[2, [2], 2]]);
  rows = { closed: [...rows.closed, exampleRow(2)], open: null };
  await second();
  expect(reported().slice(-1)).toEqual([[2, [2], null]]);
  const before = reported().length;
  await second();
  await second();
  expect(reported()).toHaveLength(before);
  run = { id: '2', verdict: null };
  rows = { closed: [exampleRow(0)], open: null };
  await second();
  expect(reported().slice(-1)).toEqual([[0, [0], null]]);
});

test('the picture of a stream elsewhere comes before the answer, to the window that asked', async () => {
  const request = {
    ...{ type: 'request', requestId: 3 },
    command: { name: 'previewElsewhere', streamId: 1, maxWidth: 160, after: 0 },
  };
  const picture: PreviewMessage = {
    ...{ type: 'preview' as const, streamId: 1, width: 1, height: 1, frameNumber: 5, confirm: false },
    pixels: new Uint8ClampedArray(4),
  };
  look = { state: 'open', number: 1, picture };
  await ask(request);
  expect(window.messages).toEqual([
    picture,
    { type: 'reply', requestId: 3, result: { state: 'open', number: 1 }, problem: null },
  ]);
  look = { state: 'silent', number: 1, picture: null };
  expect(await ask(request)).toMatchObject({ result: { state: 'silent', number: 1 } });
  expect(window.types()).toEqual(['preview', 'reply', 'reply']);
});

test('who only looks is named as such to the pictures of streams elsewhere', async () => {
  const command = { name: 'previewElsewhere', streamId: 1, maxWidth: 16, after: 0 };
  await ask({ type: 'request', requestId: 3, command });
  expect(lookedBy).toBe('operate');
  const looking = new FakeWindow();
  server.add(looking, 'look');
  looking.send({ type: 'request', requestId: 4, command });
  await clock.pass(0);
  expect(lookedBy).toBe('look');
});
