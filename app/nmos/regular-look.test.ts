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

function holdUp(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

test('what came while the process was held up is read before the look', async () => {
  const [near, far] = await connected();
  const order: string[] = [];
  near.on('data', () => order.push('read'));
  const end = lookRegularly(50, () => order.push('look'));
  onTestFinished(end);
  // From there on the timers come next, and then what is read.
  await new Promise((resolve) => setImmediate(resolve));
  far.write('answer');
  holdUp(200);
  await expect.poll(() => order.slice(0, 2)).toEqual(['read', 'look']);
});

test('no look comes after its end, one that is due already among them', async () => {
  let looks = 0;
  const end = lookRegularly(5, () => looks++);
  await expect.poll(() => looks).toBeGreaterThan(0);
  holdUp(20);
  await new Promise((resolve) => setTimeout(resolve, 0));
  end();
  const atEnd = looks;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(looks).toBe(atEnd);
});
