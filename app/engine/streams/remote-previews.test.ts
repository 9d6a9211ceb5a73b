import { beforeEach, expect, test } from 'vitest';
import { WhitelineError } from '../../protocol/errors';
import type { PreviewWish, RemotePreview } from '../../protocol/fleet/remote-preview';
import { SimulatedClock } from '../../testing/simulated-clock';
import { RemotePreviews } from './remote-previews';

const wish = { streamId: 1, maxWidth: 160, after: 0 };

let clock: SimulatedClock;
let asked: PreviewWish[];
let streamIds: number[];
let life: object;
let answer: (wish: PreviewWish) => RemotePreview | Promise<RemotePreview>;
let previews: RemotePreviews;

beforeEach(() => {
  clock = new SimulatedClock();
  asked = [];
  streamIds = [1, 2, 3, 4, 5, 6];
  life = {};
  let number = 0;
  answer = () => pictureOf(++number);
  previews = new RemotePreviews({
    ...{ clock, streamIds: () => streamIds },
    hostOf: () => ({
      life,
      preview: async (given) => {
        asked.push(given);
        return answer(given);
      },
    }),
  });
});

function pictureOf(number: number): RemotePreview {
  const pixels = new Uint8Array([1, 2, 3, 4, 5, 6]);
  return { kind: 'picture', number, width: 2, height: 1, frameNumber: 10 * number, pixels };
}

test('a picture comes as a window draws it, and once to each window', async () => {
  const look = await previews.look(wish);
  expect(look).toEqual({
    ...{ state: 'open', number: 1 },
    picture: {
      ...{ type: 'preview', streamId: 1, width: 2, height: 1, frameNumber: 10, confirm: false },
      pixels: new Uint8ClampedArray([1, 2, 3, 255, 4, 5, 6, 255]),
    },
  });
  expect(await previews.look({ ...wish, after: look.number })).toMatchObject({ number: 1, picture: null });
  // Another window.
  expect(await previews.look(wish)).toMatchObject({ number: 1, picture: { frameNumber: 10 } });
  expect(asked).toEqual([wish]);
});

test('however many windows look how often, two questions a second are asked for a stream, and four in all', async () => {
  for (let look = 0; look < 200; look++) {
    await previews.look({ ...wish, streamId: 1 });
    await clock.pass(50);
  }
  expect(asked.length).toBeGreaterThanOrEqual(20);
  expect(asked.length).toBeLessThanOrEqual(23);
  asked = [];
  for (let look = 0; look < 200; look++) {
    for (const streamId of streamIds) await previews.look({ ...wish, streamId });
    await clock.pass(50);
  }
  expect(asked.length).toBeGreaterThanOrEqual(40);
  expect(asked.length).toBeLessThanOrEqual(45);
});

test('one question at a time is on the bus', async () => {
  let reply: (preview: RemotePreview) => void = () => undefined;
  answer = () =>
    new Promise((resolve) => {
      reply = resolve;
    });
  const first = previews.look(wish);
  await clock.pass(1400);
  expect(await previews.look({ ...wish, streamId: 2 })).toMatchObject({ picture: null });
  expect(asked).toHaveLength(1);
  answer = () => pictureOf(2);
  reply(pictureOf(1));
  expect(await first).toMatchObject({ number: 1 });
  await previews.look({ ...wish, streamId: 2 });
  expect(asked).toHaveLength(2);
});

test('who only looks affects neither width nor rate of the pictures of who operates', async () => {
  const tiny = { ...wish, maxWidth: 16 };
  for (let turn = 0; turn < 100; turn++) {
    await previews.look({ ...tiny, streamId: 2 }, 'look');
    await previews.look({ ...tiny, streamId: 3 }, 'look');
    await previews.look(tiny, 'look');
    // Each 0.5 s.
    if (turn % 10 === 0) await previews.look({ ...wish, maxWidth: 128 });
    await clock.pass(50);
  }
  // A looker was first, and asked for a picture that is as wide as any.
  expect(asked[0]).toEqual({ ...wish, streamId: 2 });
  expect(asked.slice(1).map(({ streamId, maxWidth }) => [streamId, maxWidth])).toEqual(
    Array.from({ length: 9 }, () => [1, 128]),
  );
  expect(await previews.look(tiny, 'look')).toMatchObject({ number: 9, picture: { frameNumber: 100 } });
});

test('who only looks gets pictures where no one operates, and learns that one is not of now', async () => {
  await previews.look(wish);
  await clock.pass(1900);
  await previews.look({ ...wish, streamId: 2 }, 'look');
  expect(asked).toHaveLength(1);
  await clock.pass(200);
  const { number } = await previews.look({ ...wish, streamId: 2 }, 'look');
  expect([number, asked.length]).toEqual([1, 2]);
  await clock.pass(300);
  await previews.look({ ...wish, streamId: 3 });
  expect(await previews.look({ ...wish, streamId: 2 }, 'look')).toMatchObject({ state: 'open', number: 1 });
  await clock.pass(4000);
  await previews.look({ ...wish, streamId: 3 });
  await clock.pass(1500);
  expect(await previews.look({ ...wish, streamId: 2 }, 'look')).toMatchObject({ state: 'silent', number: 1 });
  expect(await previews.look({ ...wish, streamId: 4 }, 'look')).toMatchObject({ state: 'silent', number: 0 });
});

test('a process that is started again counts anew, and a window goes on', async () => {
  answer = () => pictureOf(7);
  expect(await previews.look(wish)).toMatchObject({ number: 1 });
  await clock.pass(1000);
  await previews.look({ ...wish, after: 1 });
  expect(asked.at(-1)).toMatchObject({ after: 7 });
  life = {};
  answer = () => pictureOf(1);
  await clock.pass(1000);
  expect(await previews.look({ ...wish, after: 2 })).toMatchObject({
    number: 3,
    picture: { frameNumber: 10 },
  });
  expect(asked.at(-1)).toMatchObject({ after: 0 });
});

test.each([
  ['behind', () => ({ kind: 'behind' }) as const],
  ['silent', () => Promise.reject(new WhitelineError({ code: 'AGENT_SILENT', message: 'it is silent' }))],
  ['silent', () => Promise.reject(new WhitelineError({ code: 'TOOL_FAILED', message: 'what is that' }))],
  ['gone', () => Promise.reject(new WhitelineError({ code: 'HOST_DIED', message: 'it is gone' }))],
] as const)('why no picture comes is said: %s', async (state, answered) => {
  await previews.look(wish);
  answer = answered;
  await clock.pass(1000);
  expect(await previews.look({ ...wish, after: 1 })).toEqual({ state, number: 1, picture: null });
  answer = () => pictureOf(2);
  await clock.pass(1000);
  expect(await previews.look({ ...wish, after: 1 })).toMatchObject({ state: 'open', number: 2 });
});

test('a stream that is gone, or is received here, is not asked for', async () => {
  await previews.look(wish);
  streamIds = [2];
  await clock.pass(1000);
  expect(await previews.look(wish)).toEqual({ state: 'gone', number: 0, picture: null });
  expect(asked).toHaveLength(1);
});
