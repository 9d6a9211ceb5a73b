import { existsSync } from 'node:fs';
import { windowsBooks } from '../../../engine/load/windows-books';
import { readText } from '../../../engine/machine/facts';
import { interfaceFolder } from '../../../engine/machine/interfaces';
import { type Check, type CheckContext, isLoopbackContext, NotFoundOut } from '../check';
import { foundOf } from '../found-reasons';
import { type Line, ok, problem, unknown } from '../line';

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
  const details = { ...facts };
  if (isLoopback) return ok(foundOf('loopback'), details);
  if (state === 'down' && carrier === null) return problem(foundOf('link-put-off', { name }), details);
  if (carrier === '0' || state === 'down' || state === 'lowerlayerdown')
    return problem(foundOf('link-absent', { name }), details);
  if (fullDuplex === false) return problem(foundOf('half-duplex', { name }), details);
  if (speedMbps === null) return unknown(foundOf('speed-not-known', { name, why: reason }), details);
  if (speedMbps < leastMbps) return problem(foundOf('speed-low', { name, speedMbps }), details);
  return ok(foundOf('speed', { name, speedMbps, isFullDuplex: fullDuplex === true }), details);
}

/** Null: there is no such interface. Windows shows none that is put off. */
function stateOf(name: string): Pick<LinkFacts, 'state' | 'carrier'> | null {
  const windows = windowsBooks();
  if (windows) {
    const booked = windows.interfaces().find((entry) => entry.name === name);
    return booked ? { state: booked.up ? 'up' : 'down', carrier: booked.up ? '1' : '0' } : null;
  }
  const folder = interfaceFolder(name);
  if (!existsSync(folder)) return null;
  return { state: readText(`${folder}/operstate`), carrier: readText(`${folder}/carrier`) };
}

function gather(context: CheckContext): LinkFacts {
  const { interfaceName: name, driver } = context;
  const state = stateOf(name);
  if (!state) throw new NotFoundOut(foundOf('interface-absent', { name }));
  const link = typeof driver === 'string' ? null : driver.link;
  const reason =
    typeof driver === 'string' ? driver : (driver.notKnown.link ?? 'the driver does not report it');
  return {
    name,
    isLoopback: isLoopbackContext(context),
    ...state,
    speedMbps: link?.speedMbps ?? null,
    fullDuplex: link?.fullDuplex ?? null,
    reason,
  };
}

export const linkSpeed: Check = {
  id: 'link-speed',
  run: async (context) => judgeLink(gather(context)),
};
