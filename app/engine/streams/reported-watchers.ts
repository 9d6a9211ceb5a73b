import type { LoadSample } from '../../protocol/load';
import { sharedLoadOf } from '../machines/machine-side';
import type { StreamHost } from './stream-host';
import type { StreamHosts } from './stream-hosts';

/** What remote watchers are sent of this machine, along with the senders' records. A host that is dying sends nothing. */
export class ReportedWatchers {
  /** Messages that say what this machine is. */
  private environment: string[] = [];

  constructor(private readonly hosts: StreamHosts) {}

  /** How busy this machine was. */
  sendLoad(sample: LoadSample): void {
    const load = { measuredNs: sample.atNs, ...sharedLoadOf(sample) };
    for (const host of this.hosts.of('sending'))
      host.request({ name: 'sendLoad', load }).catch(() => undefined);
  }

  /** What this machine is, whenever a watcher connects. */
  sendEnvironment(messages: string[]): void {
    this.environment = messages;
    for (const host of this.hosts.of('sending')) this.reportAgain(host);
  }

  /** That the senders end as asked. Resolves once it is on its way. */
  async sayEnd(): Promise<void> {
    const hosts = this.hosts.of('sending');
    await Promise.all(hosts.map((host) => host.request({ name: 'sayEnd' }).catch(() => undefined)));
  }

  /** To a host that is new. */
  reportAgain(host: StreamHost): void {
    const messages = this.environment;
    if (messages.length > 0) host.request({ name: 'sendEnvironment', messages }).catch(() => undefined);
  }
}
