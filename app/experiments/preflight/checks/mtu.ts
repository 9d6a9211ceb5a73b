import { type Check, isLoopbackContext, ownMtuBytes } from '../check';
import { foundOf } from '../found-reasons';
import { type Line, ok, unknown, warning } from '../line';

/** What every network of Ethernet carries; NDI's own datagrams are made for it. */
const usualBytes = 1500;
/** What usual switches carry at most; the study's card had 16348, and was set to 9014 with its header. */
const mostBytes = 9000;

export function judgeMtu(name: string, mtuBytes: number | null, isLoopback: boolean): Line {
  if (mtuBytes === null) return unknown(foundOf('mtu-not-reported', { name }));
  const details = { mtuBytes };
  const data = { name, mtuBytes };
  if (isLoopback) return ok(foundOf('mtu', data), details);
  if (mtuBytes < usualBytes) return warning(foundOf('mtu-small', { ...data, usualBytes }), details);
  if (mtuBytes > mostBytes) return warning(foundOf('mtu-beyond-switches', { ...data, mostBytes }), details);
  return ok(foundOf(mtuBytes > usualBytes ? 'mtu-large' : 'mtu', data), details);
}

export const mtu: Check = {
  id: 'mtu',
  run: async (context) => judgeMtu(context.interfaceName, ownMtuBytes(context), isLoopbackContext(context)),
};
