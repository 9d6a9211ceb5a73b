import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectBus } from '../../app/fleet/bus/nats-bus';
import { OwnFleet } from '../../app/fleet/console/own-fleet';
import { newAgentId, newSecret } from '../../app/fleet/site/agent-name';
import type { InvitedAgent } from '../../app/fleet/site/agents';
import { thisMachine } from '../../app/fleet/site/hosts';
import { readJoinFile } from '../../app/fleet/site/join-file';
import { Site, siteFiles } from '../../app/fleet/site/site';
import { everyPresence, presenceSubject } from '../../app/protocol/fleet/subjects';
import { machineClock } from '../../app/protocol/machine-clock';

/**
 * What the benchmark of a site does with a fleet whose server runs: one action in a process of its own. Prints one JSON object; times in
 * ms. `invite` writes invitations before the server starts. `speak` is all made-up agents, each by a connection of its own, until it is
 * killed: they say what one real agent says, under their own ids. `listen` is a console.
 */
type Options = { folder: string } & (
  | { action: 'invite'; agents: number }
  | { action: 'speak'; perSecond: number }
  | { action: 'listen'; version: string; seconds: number }
);

const options: Options = JSON.parse(process.argv[2] ?? '{}');
const site = Site.open(options.folder, { clock: machineClock, machine: thisMachine });

act(options).then(
  (result) => process.stdout.write(`${JSON.stringify(result)}\n`),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);

function act(given: Options): Promise<object> {
  if (given.action === 'invite') return invite(given.agents);
  return given.action === 'speak' ? speak(given.perSecond) : listen(given.version, given.seconds);
}

async function invite(agents: number): Promise<object> {
  for (let number = 1; number <= agents; number++) {
    const name = `made-up-${number}`;
    const invitedAt = new Date().toISOString();
    site.agents.add({ version: 1, id: newAgentId(), name, secret: newSecret(), address: null, invitedAt });
  }
  site.write();
  return { agents };
}

/** Connects some at a time: a server makes room for so many handshakes at once. */
const atOnce = 16;

async function speak(perSecond: number): Promise<object> {
  const presence = await realPresence();
  const waiting = madeUpAgents();
  const agents = waiting.length;
  const connectSome = async (): Promise<void> => {
    for (let agent = waiting.pop(); agent; agent = waiting.pop()) {
      const { id, name } = agent;
      const bus = await connectBus(site.joinOf(agent), 'agent', { clock: machineClock });
      const said = { ...presence, id, name, session: randomBytes(8).toString('hex') };
      const everyMs = 1000 / perSecond;
      // Spread over the time between two, as those of a site are.
      setTimeout(
        () => setInterval(() => bus.publish(presenceSubject(id), said), everyMs),
        Math.random() * everyMs,
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, connectSome));
  return { agents };
}

function madeUpAgents(): InvitedAgent[] {
  return site.agents.all().filter(({ name }) => name.startsWith('made-up-'));
}

/** What the one real agent of this fleet says of itself, with the load of its machine. */
async function realPresence(): Promise<object> {
  const bus = await asConsole();
  return new Promise((resolve) => {
    const stop = bus.subscribe(everyPresence, (value) => {
      const presence = value as { load: unknown };
      if (presence.load === null) return;
      stop();
      void bus.close().then(() => resolve(presence));
    });
  });
}

function asConsole() {
  return connectBus(readJoinFile(siteFiles(options.folder).console), 'console', { clock: machineClock });
}

/** A console that has just been started, until it has all; then what it takes while it follows them, and lists them twice a second. */
async function listen(version: string, seconds: number): Promise<object> {
  const ids = madeUpAgents().map(({ id }) => id);
  const { folder } = options;
  const fleet = new OwnFleet({ folder, clock: machineClock, version, onLost: () => undefined });
  const beganMs = performance.now();
  const listed = await fleet.connected(ids);
  const listedMs = performance.now() - beganMs;
  const listing = setInterval(() => void fleet.names(), 500);
  const before = process.cpuUsage();
  const fromMs = performance.now();
  await sleep(seconds * 1000);
  const { user, system } = process.cpuUsage(before);
  const cpuPercent = (user + system) / 10 / (performance.now() - fromMs);
  clearInterval(listing);
  await fleet.close();
  return { listed: listed.length, agents: ids.length, listedMs, cpuPercent };
}
