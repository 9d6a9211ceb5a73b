import { expect, test } from 'vitest';
import type { LinkEnd } from '../../engine/machines/link-end';
import { AgentLink } from './agent-link';

/** An end whose servers say when they are stopped. */
function madeUpEnd() {
  const servers: { address: string; isStopped: boolean; signal: AbortSignal }[] = [];
  const tries: ((isReached: boolean) => void)[] = [];
  let asked = 0;
  const endOf = (signal: AbortSignal): LinkEnd => ({
    addresses: ['192.0.2.7'],
    iperfVersion: async () => {
      asked += 1;
      return 'iperf 3.12';
    },
    reaches: () => new Promise((resolve) => tries.push(resolve)),
    serve: async (address) => {
      const server = { address, isStopped: false, signal };
      servers.push(server);
      return {
        port: 5201,
        onLost: () => undefined,
        ended: async () => null,
        stop: async () => {
          server.isStopped = true;
        },
      };
    },
  });
  return { link: new AgentLink(endOf), servers, tries, asked: () => asked };
}

test('one server at a time, at an address of this machine; it is stopped with the lease', async () => {
  const { link, servers } = madeUpEnd();
  await expect(link.serve('198.51.100.1')).rejects.toThrow('an address of this machine for address');
  await expect(link.ended()).rejects.toThrow('There is no iperf3 server of this lease');
  expect(await link.serve('192.0.2.7')).toBe(5201);
  await expect(link.serve('192.0.2.7')).rejects.toThrow('one iperf3 server at a time');
  expect(await link.ended()).toBeNull();
  await link.stop();
  expect(servers.map(({ isStopped, signal }) => [isStopped, signal.aborted])).toEqual([[true, true]]);
  expect(await link.serve('192.0.2.7')).toBe(5201);
});

test('a lease that ends while the server starts: it is stopped as well', async () => {
  const { link, servers } = madeUpEnd();
  const started = link.serve('192.0.2.7');
  await link.stop();
  await started;
  expect(servers.map(({ isStopped }) => isStopped)).toEqual([true]);
});

test('a console that asks again and again has one program and one connection of it at a time', async () => {
  const { link, tries, asked } = madeUpEnd();
  expect(await Promise.all([link.iperfVersion(), link.iperfVersion()])).toEqual(['iperf 3.12', 'iperf 3.12']);
  expect(asked()).toBe(1);
  const reached = link.reaches('192.0.2.9', 5201);
  await expect(link.reaches('192.0.2.9', 5202)).rejects.toThrow('one address at a time');
  tries[0]?.(true);
  expect(await reached).toBe(true);
});
