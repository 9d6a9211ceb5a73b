import { parseDuration } from '../protocol/duration';
import { exitCodes, WhitelineError } from '../protocol/errors';
import type { DiscoveredSource } from '../protocol/records';
import { hostsOf, withReceivingHost } from './hosts';

interface SourcesFlags {
  seconds: string;
  from?: string;
  json?: boolean;
}

export async function sourcesCommand(flags: SourcesFlags): Promise<number> {
  const seconds = parseDuration(flags.seconds, 'seconds');
  const sources = await withReceivingHost(async (host, ready) => {
    if (ready.ndiProblem) throw new WhitelineError(ready.ndiProblem);
    return (await host.request({ name: 'discover', seconds })) as DiscoveredSource[];
  }, hostsOf(flags.from));
  for (const source of sources) {
    process.stdout.write(
      flags.json
        ? `${JSON.stringify(source)}\n`
        : `${source.name}\t${source.address || 'address not told'}\n`,
    );
  }
  if (sources.length === 0 && !flags.json) {
    process.stdout.write(
      `No NDI source was found in ${seconds} s. Senders on other hosts are found by mDNS: see whiteline doctor.\n`,
    );
  }
  return exitCodes.pass;
}
