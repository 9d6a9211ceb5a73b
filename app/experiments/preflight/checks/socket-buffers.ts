import { readAmount } from '../../../engine/machine/facts';
import type { Check } from '../check';
import { foundOf } from '../found-reasons';
import { type Line, ok, unknown, warning } from '../line';

/** Four pictures of 3840×2160@60 at NDI's 250 Mb/s: what comes while a receiver is kept from reading for 67 ms. */
const wantedBytes = 2 * 1024 * 1024;

export interface BufferFacts {
  receiveBytes: number | null;
  sendBytes: number | null;
}

export function judgeBuffers(facts: BufferFacts): Line {
  const { receiveBytes, sendBytes } = facts;
  if (receiveBytes === null || sendBytes === null)
    return unknown(foundOf('buffers-not-reported'), { ...facts });
  const data = { receiveBytes, sendBytes };
  if (Math.min(receiveBytes, sendBytes) >= wantedBytes) return ok(foundOf('buffers', data), { ...facts });
  return warning(foundOf('buffers-small', { ...data, wantedBytes }), { ...facts });
}

export function readBuffers(folder = '/proc/sys/net/core'): BufferFacts {
  return { receiveBytes: readAmount(`${folder}/rmem_max`), sendBytes: readAmount(`${folder}/wmem_max`) };
}

export const socketBuffers: Check = {
  id: 'socket-buffers',
  run: async () => judgeBuffers(readBuffers()),
};
