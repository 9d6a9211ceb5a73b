/** Everything that the preflight checks, in the order of its table, by what it is about. */
export const preflightGroups = {
  card: {
    'link-speed': 'Link: speed and duplex',
    driver: 'Driver and firmware',
    mtu: 'MTU here',
    'path-mtu': 'MTU to the other host',
    'energy-efficient': 'Energy-Efficient Ethernet',
    offloads: 'Offloads',
    pcie: 'PCIe slot',
    errors: 'Errors and drops',
  },
  machine: {
    'socket-buffers': 'Socket buffers',
    governor: 'CPU governor',
    'power-plan': 'Power plan',
    clock: 'Clock synchronisation',
    'clock-traffic': 'PTP or Dante on the network',
  },
  way: {
    'multicast-groups': 'Multicast groups (IGMP)',
    dscp: 'Precedence (DSCP) and queues',
    'firewall-rules': 'Firewall of this machine',
    'ndi-ports': 'NDI ports of the other host',
  },
  finding: {
    discovery: 'Discovery (mDNS)',
    'listed-sources': 'Listed sources',
    'several-interfaces': 'Interfaces in use',
    'discovery-server': 'Discovery server',
  },
  disk: {
    'disk-rate': 'Disk rate of the movie',
  },
} as const;

export type PreflightGroup = keyof typeof preflightGroups;
type LabelsOf<Group> = Group extends Record<string, string> ? keyof Group : never;
export type PreflightCheckId = LabelsOf<(typeof preflightGroups)[PreflightGroup]>;

/** What each check is called. */
export const preflightLabels = Object.assign({}, ...Object.values(preflightGroups)) as Record<
  PreflightCheckId,
  string
>;
