import { expect, test } from 'vitest';
import { Requests } from './requests';

test('each reply reaches the request of its number, in whatever order they come', async () => {
  const requests = new Requests<string>();
  const sent: number[] = [];
  const asked = [0, 1, 2].map(() => requests.ask((requestId) => sent.push(requestId)));
  for (const requestId of [...sent].reverse()) requests.resolve(requestId, `reply ${requestId}`);
  expect(await Promise.all(asked)).toEqual(sent.map((requestId) => `reply ${requestId}`));
  expect(new Set(sent).size).toBe(3);
});

test('a refusal rejects its request alone, and a second reply changes nothing', async () => {
  const requests = new Requests<number>();
  let refused = 0;
  const bad = requests.ask((requestId) => {
    refused = requestId;
  });
  const good = requests.ask((requestId) => queueMicrotask(() => requests.resolve(requestId, 7)));
  requests.reject(refused, new Error('no'));
  requests.resolve(refused, 1);
  requests.resolve(99, 1);
  await expect(bad).rejects.toThrow('no');
  expect(await good).toBe(7);
});

test('where the other end is gone, all that it was sent is rejected', async () => {
  const requests = new Requests<number>();
  const unsent = new Set<number>();
  const sent = requests.ask(() => undefined);
  const waits = requests.ask((requestId) => unsent.add(requestId));
  requests.rejectAll(new Error('gone'), unsent);
  await expect(sent).rejects.toThrow('gone');
  const [requestId = 0] = unsent;
  requests.resolve(requestId, 3);
  expect(await waits).toBe(3);
});

test('what cannot be sent is rejected with the reason', async () => {
  const requests = new Requests<number>();
  const asked = requests.ask(() => {
    throw new Error('the port is closed');
  });
  await expect(asked).rejects.toThrow('the port is closed');
});
