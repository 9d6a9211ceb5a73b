import { existsSync } from 'node:fs';
import { NotKnown, readText } from '../../../engine/machine/facts';
import { interfaceFolder } from '../../../engine/machine/interfaces';
import { type Line, ok, problem, unknown } from '../../../engine/machine/line';
import { type Check, type CheckContext, isLoopbackContext } from '../check';

export interface LinkFacts {
  name: string;
  isLoopback: boolean;
  /** As the kernel says: up, down, lowerlayerdown, unknown … */
  state: string | null;
  /** 0: no cable, or nothing at its other end; null: not reported, as of an interface that is put off. */
  carrier: string | null;
  speedMbps: number | null;
  fullDuplex: boolean | null;
  /** Why speed and duplex are not known. */
  reason: string;
}

/** A picture of 1920×1080@60 takes about 125 Mb/s by NDI: a link below carries no stream of any size that matters. */
const leastMbps = 1000;

export function judgeLink(facts: LinkFacts): Line {
  const { name, isLoopback, state, carrier, speedMbps, fullDuplex, reason } = facts;
  if (isLoopback) return ok('loopback: what is sent leaves this machine nowhere', { ...facts });
  if (state === 'down' && carrier === null)
    return problem(`${name} is put off`, 'Put it on', `ip link set dev ${name} up`, { ...facts });
  if (carrier === '0' || state === 'down' || state === 'lowerlayerdown') {
    const found = `${name} has no link: nothing answers at the other end of its cable`;
    return problem(found, 'Check the cable and the port of the switch', `ethtool ${name}`, { ...facts });
  }
  if (fullDuplex === false) {
    const found = `${name} sends and receives in turns (half duplex)`;
    const advice = 'Let both ends agree by themselves, and check the cable';
    return problem(found, advice, `ethtool -s ${name} autoneg on`, { ...facts });
  }
  if (speedMbps === null) {
    const found = `the speed of ${name} is not known: ${reason}`;
    return unknown(found, 'Measure it with the link experiment', '', { ...facts });
  }
  if (speedMbps < leastMbps) {
    const found = `${name} runs at ${speedMbps} Mb/s`;
    const advice = 'Check the cable (all eight wires), and let both ends agree by themselves';
    return problem(found, advice, `ethtool -s ${name} autoneg on`, { ...facts });
  }
  return ok(`${name} runs at ${speedMbps} Mb/s${fullDuplex ? ', full duplex' : ''}`, { ...facts });
}

function gather(context: CheckContext): LinkFacts {
  const { interfaceName: name, driver } = context;
  const folder = interfaceFolder(name);
  if (!existsSync(folder)) throw new NotKnown(`the kernel shows no ${name} in sysfs`);
  const link = typeof driver === 'string' ? null : driver.link;
  const reason =
    typeof driver === 'string' ? driver : (driver.notKnown.link ?? 'the driver does not report it');
  return {
    name,
    isLoopback: isLoopbackContext(context),
    state: readText(`${folder}/operstate`),
    carrier: readText(`${folder}/carrier`),
    speedMbps: link?.speedMbps ?? null,
    fullDuplex: link?.fullDuplex ?? null,
    reason,
  };
}

export const linkSpeed: Check = {
  id: 'link-speed',
  run: async (context) => judgeLink(gather(context)),
};
