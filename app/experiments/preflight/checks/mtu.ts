import { type Line, ok, unknown, warning } from '../../../engine/machine/line';
import { type Check, isLoopbackContext, ownMtuBytes } from '../check';

/** What every network of Ethernet carries; NDI's own datagrams are made for it. */
const usualBytes = 1500;
/** What usual switches carry at most; the study's card had 16348, and was set to 9014 with its header. */
const mostSwitchesBytes = 9000;

export function judgeMtu(name: string, mtuBytes: number | null, isLoopback: boolean): Line {
  if (mtuBytes === null) return unknown(`${name} does not report its MTU`);
  const found = `${name} carries packets of up to ${mtuBytes} bytes`;
  const details = { mtuBytes };
  const command = (bytes: number): string => `ip link set dev ${name} mtu ${bytes}`;
  if (isLoopback) return ok(found, details);
  if (mtuBytes < usualBytes) {
    const advice =
      'More packets for each frame, and larger ones from other machines may be lost: set what all others have';
    return warning(found, advice, command(usualBytes), details);
  }
  if (mtuBytes > mostSwitchesBytes) {
    const advice = 'Most switches carry no more than 9000 bytes and drop what is larger without a word';
    return warning(found, advice, command(mostSwitchesBytes), details);
  }
  if (mtuBytes > usualBytes) {
    const advice = 'Every card and switch on the way must carry as much; see the MTU to the other host';
    return { ...ok(found, details), advice };
  }
  return ok(found, details);
}

export const mtu: Check = {
  id: 'mtu',
  run: async (context) => judgeMtu(context.interfaceName, ownMtuBytes(context), isLoopbackContext(context)),
};
