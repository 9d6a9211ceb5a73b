import type { Check, CheckContext } from '../check';
import { type DnsRecord, recordTypes } from '../dns-message';
import { foundOf } from '../found-reasons';
import { type Line, ok, warning } from '../line';
import { askMulticast, multicastAddress } from '../multicast-dns';
import { type PortState, tryPort } from '../ports';
import { lined } from '../shared-reasons';

export interface ListedSource {
  name: string;
  /** Null if its lister did not say. */
  address: string | null;
  port: number | null;
  /** Null if its address or port is not known. */
  state: PortState | null;
}

const service = '_ndi._tcp.local';
/** Of each of the two rounds of questions. */
const waitMs = 1200;

export function judgeListed(sources: ListedSource[]): Line {
  const details = { sources };
  if (sources.length === 0) return ok(foundOf('no-source-listed'), details);
  const stale = sources.filter(({ state }) => state !== 'open');
  if (stale.length === 0) return ok(foundOf('sources-answer', { sources: sources.length }), details);
  const places = stale.map(({ address, port }) =>
    address === null || port === null ? '' : `${address}:${port}`,
  );
  const data = {
    sources: sources.length,
    names: lined(stale.map(({ name }) => name)),
    places: lined(places),
    states: lined(stale.map(({ state }) => state ?? '')),
  };
  return warning(foundOf('sources-stale', data), details);
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
