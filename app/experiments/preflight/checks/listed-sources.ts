import { type Line, ok, warning } from '../../../engine/machine/line';
import type { Check, CheckContext } from '../check';
import { type DnsRecord, recordTypes } from '../dns-message';
import { askMulticast, multicastAddress } from '../multicast-dns';
import { type PortState, tryPort } from '../ports';

export interface ListedSource {
  name: string;
  /** Null where its lister did not say. */
  address: string | null;
  port: number | null;
  /** Null where its address or port is not known. */
  state: PortState | null;
}

const service = '_ndi._tcp.local';
/** Of each of the two rounds of questions. */
const waitMs = 1200;

export function judgeListed(sources: ListedSource[]): Line {
  const details = { sources };
  if (sources.length === 0) return ok('no NDI source is listed on this network now', details);
  const stale = sources.filter(({ state }) => state !== 'open');
  const found = `${sources.length} NDI sources are listed`;
  if (stale.length === 0) return ok(`${found}, and each takes connections`, details);
  const names = stale.map(({ name, address, port, state }) =>
    address === null || port === null ? `${name} (no address)` : `${name} (${address}:${port}, ${state})`,
  );
  const advice =
    'Nothing sends there any more, or its address has changed, or a firewall drops it: start it again, then the daemon that lists it';
  return warning(
    `${found}, and nothing answers at ${names.join(', ')}`,
    advice,
    'service avahi-daemon restart',
    details,
  );
}

/** What the records of all answers say of NDI's sources. */
export function sourcesOf(records: readonly DnsRecord[]): Omit<ListedSource, 'state'>[] {
  const names = records.flatMap((record) =>
    record.type === 'ptr' && isSame(record.name, service) ? [record.target] : [],
  );
  return [...new Set(names)].sort().map((full) => {
    const place = records.find((record) => record.type === 'srv' && isSame(record.name, full));
    const target = place?.type === 'srv' ? place.target : '';
    const host = records.find((record) => record.type === 'a' && isSame(record.name, target));
    return {
      name: full.replace(/\._ndi\._tcp\.local$/i, '').replace(/\\(.)/g, '$1'),
      address: host?.type === 'a' ? host.address : null,
      port: place?.type === 'srv' ? place.port : null,
    };
  });
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

async function gather({ interfaceName, signal }: CheckContext): Promise<ListedSource[]> {
  const address = multicastAddress(interfaceName);
  const ask = async (questions: { name: string; type: number }[]): Promise<DnsRecord[]> => {
    const answers = await askMulticast(questions, address, { waitMs, signal });
    return answers.flatMap(({ records }) => records);
  };
  const records = await ask([{ name: service, type: recordTypes.ptr }]);
  // Most report all at once; the others are asked for the rest.
  const instances = records.flatMap((record) => (record.type === 'ptr' ? [record.target] : []));
  const isComplete = sourcesOf(records).every((source) => source.address !== null && source.port !== null);
  if (!isComplete) {
    records.push(...(await ask([...new Set(instances)].map((name) => ({ name, type: recordTypes.srv })))));
    const hosts = records.flatMap((record) => (record.type === 'srv' ? [record.target] : []));
    if (hosts.length > 0)
      records.push(...(await ask([...new Set(hosts)].map((name) => ({ name, type: recordTypes.a })))));
  }
  return Promise.all(
    sourcesOf(records).map(async (source) => {
      const { address: host, port } = source;
      const state = host === null || port === null ? null : await tryPort(host, port, signal);
      return { ...source, state };
    }),
  );
}

export const listedSources: Check = {
  id: 'listed-sources',
  run: async (context) => judgeListed(await gather(context)),
};
