import { AsyncLocalStorage, executionAsyncId } from 'node:async_hooks';
import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { withoutGivenUpSockets } from './given-up-sockets';

/** A server that takes connections and says nothing. */
async function silentServer(): Promise<{ port: number; connected: () => Promise<Socket> }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { port, connected: async () => (await once(server, 'connection'))[0] as Socket };
}

test('an attempt that fails leaves no connection, and touches none of others', async () => {
  const { port, connected } = await silentServer();
  const other = createConnection(port, '127.0.0.1');
  await connected();
  const there = connected();
  const attempt = withoutGivenUpSockets(async () => {
    await Promise.resolve();
    await once(createConnection(port, '127.0.0.1'), 'connect');
    throw new Error('given up');
  });
  await expect(attempt).rejects.toThrow('given up');
  const gone = await there;
  gone.resume();
  await once(gone, 'close');
  expect(other.destroyed).toBe(false);
  other.destroy();
});

test('one that succeeds keeps its connection', async () => {
  const { port } = await silentServer();
  const socket = await withoutGivenUpSockets(async () => {
    const made = createConnection(port, '127.0.0.1');
    await once(made, 'connect');
    return made;
  });
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});

/** What an `AsyncLocalStorage` that is on makes Node do before version 24: it gives each promise a number. */
async function isEachPromiseFollowed(): Promise<boolean> {
  const [first, second] = [await inPromise(), await inPromise()];
  return first !== second;
}

function inPromise(): Promise<number> {
  return Promise.resolve().then(executionAsyncId);
}

test('promises are followed only while an attempt runs, also where one of two ends first', async () => {
  const storage = new AsyncLocalStorage<null>();
  const isFollowedByAny = await storage.run(null, isEachPromiseFollowed);
  storage.disable();
  await nextTurn();
  expect(await isEachPromiseFollowed()).toBe(false);
  let end: () => void = () => undefined;
  const long = withoutGivenUpSockets(() => new Promise<void>((resolve) => (end = resolve)));
  await expect(withoutGivenUpSockets(() => Promise.reject(new Error('given up')))).rejects.toThrow();
  expect(await isEachPromiseFollowed()).toBe(isFollowedByAny);
  end();
  await long;
  await nextTurn();
  expect(await isEachPromiseFollowed()).toBe(false);
});
