import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HostConnection, type HostEvents } from '../engine/streams/host-connection';
import { connectBus } from '../fleet/bus/nats-bus';
import { NumberedChannel } from '../fleet/bus/numbered-channel';
import { Agents } from '../fleet/console/agents';
import { RemoteAgent } from '../fleet/console/remote-agent';
import { joinFileText } from '../fleet/site/join-file';
import { exitCodes } from '../protocol/errors';
import { askSubject, consoleInboxPrefix, toHostSubject } from '../protocol/fleet/subjects';
import type { OpenSource } from '../protocol/host';
import { machineClock } from '../protocol/machine-clock';
import { CommandHere, untilTestEnds } from '../testing/command-here';
import { agentIds, secretOf, TestNatsServer } from '../testing/nats-server';
import { selfSigned } from '../testing/self-signed';
import { temporaryFolder } from '../testing/temporary-folder';

const folder = temporaryFolder();
const [id] = agentIds;
const agent = { id, name: 'render-1' };
const leaseKey = 'a'.repeat(32);
const white: OpenSource = {
  ...{ kind: 'white-line', width: 320, height: 180, rateNumerator: 30, rateDenominator: 1 },
  pixelFormat: 'uyvy',
};

function joinOf(address: string, user: string) {
  return {
    ...{ version: 1 as const, servers: [`tls://${address}`], certificateAuthority: selfSigned.cert },
    ...{ user, secret: secretOf(user), agent: user === 'console' ? null : agent },
  };
}

/** This field of an answer among the messages. */
function said(messages: readonly unknown[], field: string): unknown {
  const answers = messages.map((message) => Object(Object(message).value));
  return answers.find((answer) => field in answer)?.[field];
}

test('an agent is seen, streams for a console over a real server, and ends with its hosts', async () => {
  mkdirSync(join(folder, 'server'));
  const server = await TestNatsServer.start(join(folder, 'server'));
  const file = join(folder, 'render-1.join.json');
  const logs = join(folder, 'logs');
  writeFileSync(file, joinFileText(joinOf(server.address, id)));
  const command = untilTestEnds(new CommandHere(['agent', file, '--logs', logs, '--allow-streams', '2']));
  const clock = machineClock;
  const bus = await connectBus(joinOf(server.address, 'console'), 'console', { clock });
  onTestFinished(() => bus.close());
  const agents = new Agents({ bus, clock, version: 'another' });
  await command.says(/^render-1 is ready at tls:.*; Ctrl-C ends it$/m);
  await expect
    .poll(() => agents.views())
    .toMatchObject([
      {
        ...{ id, name: 'render-1', state: 'here', presence: { limits: { streams: 2 }, holder: null } },
        problems: [expect.stringMatching(/^It runs Whiteline .*, and this console another\. /)],
      },
    ]);

  const other = await connectBus(joinOf(server.address, 'console'), 'console', { clock });
  onTestFinished(() => other.close());
  const overheard: unknown[] = [];
  for (const subject of ['whiteline.from.>', `${consoleInboxPrefix}.>`])
    other.subscribe(subject, (value) => overheard.push(value));

  const lost: string[] = [];
  const remote = await RemoteAgent.lease({
    ...{ bus, clock, agent, holder: 'control-1', leaseKey, version: 'another', transport: 'memory' },
    openChannel: (sendOn, hearOn) => new NumberedChannel(bus, clock, { sendOn, hearOn }),
    onPresence: () => undefined,
    onLost: (words) => lost.push(words),
  });
  await command.says(/^\d{4}-\d\d-\d\dT[\d:.]+Z Works for control-1$/m);
  const slots = new Set<number>();
  let captured = 0;
  const deaths: number[] = [];
  const events: HostEvents = {
    onRecords: ({ sources, receivers }) => {
      for (const { records } of sources) for (const slot of records.frameNumber) slots.add(slot);
      for (const { captures } of receivers) captured += captures.frameNumber.length;
    },
    onDeath: (exitCode) => deaths.push(exitCode),
  };
  const host = new HostConnection('sending', remote.spawnStreamHost('sending'), events, clock);
  const ready = await host.start({ transport: { name: 'memory' } }, 0);
  expect(ready).toMatchObject({ processId: null, transport: { name: 'memory' }, transportProblem: null });
  await host.request({ name: 'openSource', sourceId: 1, codeSourceId: 7, options: white });
  const sender = { sourceId: 1, senderName: 'Fleet 1', shareRecords: true, audio: false };
  const fullName = await host.request({ name: 'openSender', streamId: 1, ...sender });
  const receiver = { streamId: 1, sourceName: String(fullName), askTime: false };
  await host.request({ name: 'openReceiver', ...receiver });
  await expect(host.request({ name: 'openSender', streamId: 2, ...sender })).rejects.toThrow(
    'at most 2 streams',
  );
  await expect.poll(() => captured).toBeGreaterThan(30);
  // Each slot comes, once and in order.
  await host.request({ name: 'flush' });
  expect([...slots]).toEqual([...slots].map((_, index) => index));
  await expect
    .poll(() => agents.views()[0]?.presence)
    .toMatchObject({
      ...{ holder: 'control-1', senders: 1, receivers: 1, hosts: [{ role: 'sending', number: 1 }] },
      load: { roles: { sending: { cpuPercent: expect.any(Number) } } },
    });

  // Another process with the console's secret learns number and host of the lease, and commands nothing by them.
  const fence = said(overheard, 'fence');
  const hostId = said(overheard, 'hostId');
  for (const command of [{ name: 'lease.release' }, { name: 'host.end', hostId }])
    await expect(
      other.request(askSubject(id), { ...command, fence, key: 'b'.repeat(32) }, 1000),
    ).rejects.toMatchObject({ code: 'LEASE_ENDED' });
  for (const subject of [
    `whiteline.to.${id}.host.${hostId}`,
    toHostSubject(id, String(hostId), 'b'.repeat(32)),
  ])
    new NumberedChannel(other, clock, { sendOn: subject, hearOn: 'whiteline.from.none' }).send({
      ...{ type: 'request', requestId: 1 },
      command: { name: 'closeSender', streamId: 1 },
    });
  expect(JSON.stringify(overheard)).not.toContain(leaseKey);
  const capturedBefore = captured;
  await expect.poll(() => captured).toBeGreaterThan(capturedBefore + 30);
  expect([lost, deaths]).toEqual([[], []]);

  const [ofLease = ''] = readdirSync(logs);
  expect(ofLease).toMatch(/-control-1$/);
  await expect.poll(() => readFileSync(join(logs, ofLease, 'captured-1.log'), 'utf8')).not.toBe('');

  command.signal('SIGINT');
  expect(await command.ended).toMatchObject({ exitCode: exitCodes.pass });
  await expect.poll(() => lost).toEqual(['was given up: the agent on render-1 was ended']);
  expect(deaths).toHaveLength(1);
  expect(agents.views()).toMatchObject([{ state: 'left' }]);
  agents.close();
});

test('of two agents with one join file at a real server one is ready, and after its end another one', async () => {
  mkdirSync(join(folder, 'twins'));
  const server = await TestNatsServer.start(join(folder, 'twins'));
  const file = join(folder, 'twins.join.json');
  writeFileSync(file, joinFileText(joinOf(server.address, id)));
  const both = [1, 2].map(() => untilTestEnds(new CommandHere(['agent', file])));
  const [refused, at] = await Promise.race(
    both.map(async ({ ended }, index) => [await ended, index] as const),
  );
  expect(refused.exitCode).toBe(exitCodes.badInput);
  expect(refused.errors).toMatch(
    /^whiteline: render-1 is (connected already|started twice at once): .+ on .+\. End that one first, or invite/m,
  );
  expect(refused.output).not.toContain('is ready');
  const first = both[1 - at];
  await first?.says(/render-1 is ready/);

  const late = await new CommandHere(['agent', file]).ended;
  expect([late.exitCode, late.output]).toEqual([exitCodes.badInput, expect.not.stringContaining('is ready')]);
  expect(late.errors).toContain('render-1 is connected already: an agent with its join file is ready on ');
  await first?.warns(/A second agent with this join file was refused, on /);

  first?.signal('SIGINT');
  const next = untilTestEnds(new CommandHere(['agent', file]));
  await next.says(/render-1 is ready/);
  expect(await first?.ended).toMatchObject({ exitCode: exitCodes.pass });
});
