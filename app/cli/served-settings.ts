import { ndiNetworkOf } from '../engine/machine/ndi-configuration';
import type { ServedSettings } from '../protocol/about';
import type { NmosNodeSettings } from '../protocol/nmos-node';
import type { ReportHeader } from '../protocol/report-header';

interface Serving {
  runsFolder: string;
  searchHosts: readonly string[];
  thresholds?: string;
  /** Null: it is off. */
  nmosNode: NmosNodeSettings | null;
  header: ReportHeader;
}

/** What `whiteline serve` runs with, for its page. @param network what libndi was given, whoever wrote it */
export function servedSettings(
  { runsFolder, searchHosts, thresholds = 'study', nmosNode, header }: Serving,
  network = ndiNetworkOf(),
): ServedSettings {
  const { discoveryServers, groups, addresses } = network;
  return {
    ...{ discoveryServers: discoveryServers.join(', '), searchHosts: searchHosts.join(', ') },
    ...{ ndiGroups: groups.join(', '), networkInterface: addresses.join(', ') },
    ...{ thresholds, runsFolder },
    ...{ reportProject: header.project, reportClient: header.client, reportOperator: header.operator },
    ...{ reportLogo: header.logo ?? '', reportPaper: header.paper },
    nmosNode: nmosNode ? 'on' : 'off',
    nmosRegistry: nmosNode?.registry ?? '',
    nmosHost: nmosNode?.host ?? '',
    nmosPort: nmosNode ? String(nmosNode.port) : '',
    nmosReceivers: nmosNode ? String(nmosNode.receivers) : '',
  };
}
