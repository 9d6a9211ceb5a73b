import { setTimeout as sleep } from 'node:timers/promises';
import { OwnFleet } from '../../app/fleet/console/own-fleet';
import type { InvitedAgent } from '../../app/fleet/site/agents';
import { machineClock } from '../../app/protocol/machine-clock';
import { inviteMadeUp, siteOf, speakAsMadeUp } from '../../app/testing/made-up-agents';

/**
 * What the benchmark of a site does with a fleet whose server runs: one action in a process of its own. Prints one JSON object; times in
 * ms. `invite` writes invitations before the server starts. `speak` is all made-up agents until it is killed. `listen` is a console.
 */
type Options = { folder: string } & (
  | { action: 'invite'; agents: number }
  | { action: 'speak'; perSecond: number }
  | { action: 'listen'; version: string; seconds: number }
);

const options: Options = JSON.parse(process.argv[2] ?? '{}');
const { folder } = options;
const prefix = 'made-up-';

act(options).then(
  (result) => process.stdout.write(`${JSON.stringify(result)}\n`),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);

async function act(given: Options): Promise<object> {
  if (given.action === 'listen') return listen(given.version, given.seconds);
  if (given.action === 'invite')
    inviteMadeUp(
      siteOf(folder),
      Array.from({ length: given.agents }, (_, index) => `${prefix}${index + 1}`),
    );
  else await speakAsMadeUp({ folder, agents: madeUpAgents(), perSecond: given.perSecond });
  return { agents: madeUpAgents().length };
}

function madeUpAgents(): InvitedAgent[] {
  return siteOf(folder)
    .agents.all()
    .filter(({ name }) => name.startsWith(prefix));
}

/** A console that has just been started, until it has all; then what it takes while it follows them, and lists them twice a second. */
async function listen(version: string, seconds: number): Promise<object> {
  const ids = madeUpAgents().map(({ id }) => id);
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
