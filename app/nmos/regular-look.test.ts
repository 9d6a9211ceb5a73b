import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { lookRegularly } from './regular-look';

/** Two ends of a connection. */
async function connected(): Promise<[Socket, Socket]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const one = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [other] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    for (const end of [one, other]) end.destroy();
    server.close();
  });
  return [one, other];
}

/** One timer, which is due when a test says so. */
function clockByHand() {
  const by = {
    due: (): void => {},
    every(_ms: number, act: () => void): () => void {
      by.due = act;
      return () => {};
    },
  };
  return by;
}

test('what came while the process was held up is read before the look', async () => {
  const [near, far] = await connected();
  const order: string[] = [];
  near.on('data', () => order.push('read'));
  const clock = clockByHand();
  onTestFinished(lookRegularly(clock, 50, () => order.push('look')));
  // Where timers are due: what has arrived is read after them.
  await new Promise((resolve) => setTimeout(resolve, 0));
  far.write('answer');
  clock.due();
  await expect.poll(() => order.length).toBe(2);
  expect(order).toEqual(['read', 'look']);
});

test('no look comes after its end, one that is due already among them', async () => {
  let looks = 0;
  const clock = clockByHand();
  const end = lookRegularly(clock, 5, () => looks++);
  for (let times = 0; times < 2; times++) {
    clock.due();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(looks).toBe(2);
  clock.due();
  end();
  await new Promise((resolve) => setImmediate(resolve));
  expect(looks).toBe(2);
});
