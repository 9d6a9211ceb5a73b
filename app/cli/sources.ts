import { LiveSources } from '../engine/streams/live-sources';
import { exitCodes, WhitelineError } from '../protocol/errors';
import type { DiscoveredSource } from '../protocol/records';
import { foundHosts, withReceivingHost } from './hosts';
import { limitSecondsOf } from './limit-seconds';
import { applyNdiFlags, type NdiFlags } from './ndi-flags';
import { print, printFields, printJson } from './terminal';

interface SourcesFlags extends NdiFlags {
  duration: string;
  from?: readonly string[];
  json?: boolean;
}

export async function sourcesCommand(flags: SourcesFlags): Promise<number> {
  const seconds = limitSecondsOf(flags.duration);
  applyNdiFlags(flags);
  const searchHosts = await foundHosts(flags.from);
  const discovered = await withReceivingHost(async (host, ready) => {
    if (ready.transportProblem) throw new WhitelineError(ready.transportProblem);
    return (await host.request({ name: 'discover', seconds })) as DiscoveredSource[];
  }, searchHosts);
  const sources = new LiveSources().list(discovered, [], []);
  for (const { name, addresses } of sources) {
    if (flags.json) printJson({ name, addresses });
    else printFields(name, addresses.join(' ') || 'address unknown');
  }
  if (sources.length === 0 && !flags.json) {
    print(
      `No NDI source was found in ${seconds} s. Senders on other hosts are found by mDNS: see whiteline doctor.`,
    );
  }
  return exitCodes.pass;
}
