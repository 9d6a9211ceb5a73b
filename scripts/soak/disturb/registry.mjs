import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { now } from './actions.mjs';

/** What a registry itself says, asked by us beside the run: how many nodes its Query API lists. */

const pageLimit = 1000;
const patienceMs = 1000;
const listens = '0A';

/** The time and the number of nodes; null if it does not answer in time, as one that is stopped. */
export async function askRegistry(pid) {
  for (const port of portsOf(pid)) {
    try {
      const address = `http://127.0.0.1:${port}/x-nmos/query/v1.3/nodes?paging.limit=${pageLimit}`;
      const answer = await fetch(address, { signal: AbortSignal.timeout(patienceMs) });
      if (answer.ok) return { atNs: now(), nodes: (await answer.json()).length };
    } catch {
      // It is another port, or it does not answer.
    }
  }
  return null;
}

/** Ports on which a process listens. */
function portsOf(pid) {
  const inodes = new Set(linksOf(`/proc/${pid}/fd`).map((link) => link.match(/^socket:\[(\d+)\]$/)?.[1]));
  return ['tcp', 'tcp6']
    .flatMap((family) => linesOf(`/proc/${pid}/net/${family}`))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === listens && inodes.has(inode))
    .map(([, address]) => Number.parseInt(address.split(':')[1], 16));
}

function linksOf(folder) {
  try {
    return readdirSync(folder).map((name) => readlinkSync(`${folder}/${name}`));
  } catch {
    return [];
  }
}

function linesOf(file) {
  try {
    return readFileSync(file, 'latin1').split('\n').slice(1);
  } catch {
    return [];
  }
}
