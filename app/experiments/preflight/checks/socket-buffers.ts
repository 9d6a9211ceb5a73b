import { readAmount } from '../../../engine/machine/facts';
import { type Line, ok, unknown, warning } from '../../../engine/machine/line';
import type { Check } from '../check';

/** Four pictures of 3840×2160@60 at NDI's 250 Mb/s: what comes while a receiver is kept from reading for 67 ms. */
const wantedBytes = 2 * 1024 * 1024;

export interface BufferFacts {
  receiveBytes: number | null;
  sendBytes: number | null;
}

export function judgeBuffers(facts: BufferFacts): Line {
  const { receiveBytes, sendBytes } = facts;
  if (receiveBytes === null || sendBytes === null)
    return unknown('this system does not report the limits of socket buffers', '', '', { ...facts });
  const found = `sockets may buffer ${receiveBytes} bytes received and ${sendBytes} to send`;
  const small = [
    receiveBytes < wantedBytes ? `net.core.rmem_max=${wantedBytes}` : '',
    sendBytes < wantedBytes ? `net.core.wmem_max=${wantedBytes}` : '',
  ].filter(Boolean);
  if (small.length === 0) return ok(found, { ...facts });
  const advice = `A program that asks for more does not get it, and a burst overflows; ${wantedBytes} hold four pictures of UHD`;
  return warning(found, advice, `sysctl -w ${small.join(' ')}`, { ...facts });
}

export function readBuffers(folder = '/proc/sys/net/core'): BufferFacts {
  return { receiveBytes: readAmount(`${folder}/rmem_max`), sendBytes: readAmount(`${folder}/wmem_max`) };
}

export const socketBuffers: Check = {
  id: 'socket-buffers',
  run: async () => judgeBuffers(readBuffers()),
};
