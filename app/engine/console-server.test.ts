import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EngineMessage } from '../protocol/console';
import { badInput } from '../protocol/errors';
import { loadSample } from '../testing/example-run';
import { ConsoleServer, type WindowPort } from './console-server';
import type { Engine, EngineListener } from './engine';

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

let listener: EngineListener;
let window: FakeWindow;
const execute = vi.fn(async () => undefined);

beforeEach(() => {
  vi.useFakeTimers();
  execute.mockReset();
  const engine = {
    ...{ samples: [], marks: [], execute, state: () => ({}), rows: () => ({ rows: [], provisional: null }) },
    listen: (heard: EngineListener) => {
      listener = heard;
    },
  };
  const server = new ConsoleServer(engine as unknown as Engine);
  window = new FakeWindow();
  server.add(window);
});
afterEach(() => vi.useRealTimers());

async function ask(message: unknown) {
  window.send(message);
  await vi.advanceTimersByTimeAsync(0);
  return window.messages.filter((answer) => answer.type === 'reply').at(-1);
}

test('a command is carried out and answered under its number', async () => {
  const reply = await ask({ type: 'request', requestId: 7, command: { name: 'stop' } });
  expect(execute).toHaveBeenCalledWith({ name: 'stop' });
  expect(reply).toEqual({ type: 'reply', requestId: 7, problem: null });
});

test('hello is answered with all there is to show', async () => {
  await ask({ type: 'request', requestId: 1, command: { name: 'hello' } });
  expect(window.types()).toEqual(['state', 'samples', 'marks', 'rows', 'reply']);
});

test('what goes wrong reaches the window as a problem', async () => {
  execute.mockRejectedValueOnce(badInput('format', 'a format', 'x', 'Use 1'));
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
])('%j is refused, and nothing is done', async (message, requestId) => {
  expect(await ask(message)).toMatchObject({ requestId, problem: { code: 'BAD_INPUT' } });
  expect(execute).not.toHaveBeenCalled();
});

test('a burst of changes is told at most four times a second, each sample once', async () => {
  for (let step = 0; step < 20; step++) {
    for (let change = 0; change < 50; change++) listener.onChange();
    if (step % 10 === 0)
      listener.onSample(loadSample({ wallMs: step, lostPerSecond: step === 0 ? null : 2 }));
    await vi.advanceTimersByTimeAsync(50);
  }
  const states = window.messages.filter((message) => message.type === 'state');
  expect(states.length).toBeGreaterThanOrEqual(3);
  expect(states.length).toBeLessThanOrEqual(5);
  const told = window.messages.flatMap((message) => (message.type === 'samples' ? [message] : []));
  expect(told.flatMap((message) => message.samples.map((sample) => sample.wallMs))).toEqual([0, 10]);
  expect(told.flatMap((message) => message.losses)).toEqual([{ wallMs: 10, lostPerSecond: 2 }]);
});

test('a window that is closed is told nothing more', async () => {
  window.close();
  listener.onChange();
  await vi.advanceTimersByTimeAsync(1000);
  expect(window.messages).toEqual([]);
});
