// @module-tag machine

import { expect, onTestFinished, test, vi } from 'vitest';
import { askSubject, presenceSubject } from '../../protocol/fleet/subjects';
import { machineClock } from '../../protocol/machine-clock';
import { agentIds, secretOf, TestNatsServer } from '../../testing/nats-server';
import { selfSigned } from '../../testing/self-signed';
import { temporaryFolder } from '../../testing/temporary-folder';
import type { Bus } from './bus';
import { connectBus } from './nats-bus';

const folder = temporaryFolder();
const [agentId] = agentIds;

/** Connected until the test ends. */
async function connected(server: TestNatsServer, user: string): Promise<Bus> {
  const join = {
    ...{ version: 1 as const, servers: [`tls://${server.address}`], certificateAuthority: selfSigned.cert },
    ...{ user, secret: secretOf(user), agent: user === agentId ? { id: agentId, name: 'render-1' } : null },
  };
  const bus = await connectBus(join, user === agentId ? 'agent' : 'console', { clock: machineClock });
  onTestFinished(() => bus.close());
  return bus;
}

test('a server that stands still for longer than an attempt to connect lasts leaves one connection of each', async () => {
  const server = await TestNatsServer.start(folder);
  const [agent, console] = await Promise.all([connected(server, agentId), connected(server, 'console')]);
  agent.serve(askSubject(agentId), async () => 'an answer');
  const heard: unknown[] = [];
  console.subscribe(presenceSubject(agentId), (value) => heard.push(value));
  server.stop();
  await vi.waitFor(() => expect([agent.state, console.state]).toEqual(['reconnecting', 'reconnecting']));
  // Two attempts are given up meanwhile, and come through once the server runs again.
  await machineClock.sleep(7500);
  server.goOn();
  await vi.waitFor(() => expect([agent.state, console.state]).toEqual(['connected', 'connected']));
  await vi.waitFor(() => expect(console.request(askSubject(agentId), 1, 1000)).resolves.toBe('an answer'));
  agent.publish(presenceSubject(agentId), 'once');
  // The server carries in order: what came twice would be there with the answer.
  await console.request(askSubject(agentId), 1, 1000);
  expect(heard).toEqual(['once']);
});
