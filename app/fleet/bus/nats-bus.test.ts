import { createServer, type Server } from 'node:net';
import { rootCertificates } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Problem } from '../../protocol/errors';
import { askSubject, fromHostSubject, presenceSubject } from '../../protocol/fleet/subjects';
import { machineClock } from '../../protocol/machine-clock';
import { agentIds, secretOf, TestNatsServer } from '../../testing/nats-server';
import { selfSigned } from '../../testing/self-signed';
import { temporaryFolder } from '../../testing/temporary-folder';
import type { JoinFile } from '../site/join-file';
import type { Bus } from './bus';
import { connectBus } from './nats-bus';

const folder = temporaryFolder();
const [agentId, otherId] = agentIds;

function joinOf(address: string, user: string = agentId, more: Partial<JoinFile> = {}): JoinFile {
  return {
    version: 1,
    servers: [`tls://${address}`],
    certificateAuthority: selfSigned.cert,
    user,
    secret: secretOf(user),
    agent: user === 'console' ? null : { id: user, name: 'render-1' },
    ...more,
  };
}

/** Connected until the test ends. */
async function connected(join: JoinFile, onProblem?: (problem: Problem) => void): Promise<Bus> {
  const who = join.agent ? 'agent' : 'console';
  const bus = await connectBus(join, who, { clock: machineClock, ...(onProblem && { onProblem }) });
  onTestFinished(() => bus.close());
  return bus;
}

/** A port of 127.0.0.1 where this is done to each connection. */
async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

test('values, large ones and requests go between an agent and a console, by their permissions', async () => {
  const server = await TestNatsServer.start(folder);
  const problems: string[] = [];
  const note = ({ code, message }: Problem): void => void problems.push(`${code} ${message}`);
  const [agent, console] = await Promise.all([
    connected(joinOf(server.address), note),
    connected(joinOf(server.address, 'console'), note),
  ]);
  expect([agent.state, console.state]).toEqual(['connected', 'connected']);

  const heard: unknown[] = [];
  console.subscribe('whiteline.from.>', (value, subject) => heard.push([subject, value]));
  agent.serve(askSubject(agentId), async (value) => ({ echo: value }));
  // Both are known to the server once an answer to a later question is there.
  await vi.waitFor(() =>
    expect(console.request(askSubject(agentId), [1], 1000)).resolves.toEqual({ echo: [1] }),
  );
  const large = 'x'.repeat(1_200_000);
  agent.publish(presenceSubject(agentId), { name: 'render-1' });
  agent.publish(fromHostSubject(agentId, '1'), { large });
  await vi.waitFor(() => expect(heard).toHaveLength(2));
  expect(heard).toEqual([
    [presenceSubject(agentId), { name: 'render-1' }],
    [fromHostSubject(agentId, '1'), { large }],
  ]);

  await expect(console.request(askSubject(otherId), 1, 1000)).rejects.toMatchObject({
    code: 'AGENT_UNREACHABLE',
    message: expect.stringContaining(otherId),
  });
  agent.serve(askSubject(`${agentId}.slow`), () => new Promise(() => undefined));
  await vi.waitFor(() =>
    expect(console.request(askSubject(`${agentId}.slow`), 1, 100)).rejects.toMatchObject({
      code: 'AGENT_SILENT',
    }),
  );

  agent.publish(presenceSubject(otherId), {});
  agent.subscribe('whiteline.to.>', () => undefined);
  await vi.waitFor(() => expect(problems).toHaveLength(2));
  expect(problems).toEqual([
    `BUS_REFUSED The bus does not let this machine send on ${presenceSubject(otherId)}`,
    'BUS_REFUSED The bus does not let this machine hear on whiteline.to.>',
  ]);
  await expect(agent.request(askSubject(agentId), 1, 1000)).rejects.toMatchObject({ code: 'BUS_REFUSED' });
  await console.close();
  expect([console.state, heard.length]).toEqual(['closed', 2]);
  await expect(console.request(askSubject(agentId), 1, 1000)).rejects.toMatchObject({
    code: 'BUS_UNREACHABLE',
  });
});

test('a server that is gone and comes back is found again, with all subscriptions', async () => {
  const server = await TestNatsServer.start(folder);
  const [agent, console] = await Promise.all([
    connected(joinOf(server.address)),
    connected(joinOf(server.address, 'console')),
  ]);
  const states: string[] = [];
  console.onState((state) => states.push(state));
  const heard: unknown[] = [];
  console.subscribe(presenceSubject(agentId), (value) => heard.push(value));
  await server.kill();
  await vi.waitFor(() => expect([agent.state, console.state]).toEqual(['reconnecting', 'reconnecting']));
  agent.publish(presenceSubject(agentId), 'meanwhile');
  await server.startAgain();
  await vi.waitFor(() => expect([agent.state, console.state]).toEqual(['connected', 'connected']));
  await vi.waitFor(() => {
    agent.publish(presenceSubject(agentId), 'later');
    expect(heard).toContain('later');
  });
  expect(heard).not.toContain('meanwhile');
  expect(states).toEqual(['reconnecting', 'connected']);
});

test('what is wrong with a first connection is said with address and remedy', async () => {
  const server = await TestNatsServer.start(folder);
  const plain = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write(
      'INFO {"server_id":"x","version":"2.9.10","proto":1,"headers":true,"max_payload":1048576}\r\n',
    );
  });
  const gone = createServer();
  const [plainAddress, goneAddress] = await Promise.all([listening(plain), listening(gone)]);
  onTestFinished(() => void plain.close());
  await new Promise((resolve) => gone.close(resolve));
  const port = server.address.split(':')[1];
  const [otherAuthority = ''] = rootCertificates;
  const cases: [JoinFile, string, RegExp, RegExp][] = [
    [joinOf(goneAddress), 'BUS_UNREACHABLE', /nothing listens there/, /fleet start/],
    [joinOf(plainAddress), 'BUS_UNTRUSTED', /has no TLS/, /certificate/],
    [joinOf(server.address, agentId, { secret: 'x' }), 'BUS_REFUSED', /does not accept/, /fleet invite/],
    [
      joinOf(server.address, agentId, { certificateAuthority: otherAuthority }),
      ...(['BUS_UNTRUSTED', /has not signed/, /fleet invite/] as const),
    ],
    // The same machine, called what its certificate does not.
    [joinOf(`127.1:${port}`), 'BUS_UNTRUSTED', /another name/, /Use an address/],
  ];
  for (const [join, code, message, remedy] of cases) {
    const problem = await connected(join).then(
      () => null,
      (error: unknown) => error,
    );
    expect(problem).toMatchObject({
      code,
      message: expect.stringMatching(message),
      remedy: expect.stringMatching(remedy),
    });
    expect(problem).toHaveProperty('message', expect.stringContaining(join.servers[0] ?? ''));
  }
});

test('a server that takes too small messages is refused', async () => {
  const server = await TestNatsServer.start(folder, 'max_payload: 65536');
  await expect(connected(joinOf(server.address))).rejects.toMatchObject({
    code: 'REQUIREMENT_MISSING',
    message: expect.stringContaining('65536 bytes at most'),
  });
});
