import type { keepDeletedDays, Settings } from '../../app/protocol/settings';

/** What the Settings screen says. */
export const settingsTexts = {
  title: 'Settings',
  loading: 'The settings are being read.',
  groups: {
    ...{ ndi: 'NDI', judging: 'Judging', files: 'Files', window: 'Window' },
    reports: 'Reports',
    nmos: 'NMOS node (draft BCP-007-01)',
  },
  keptIn: (file: string) => `Saved in ${file}`,
  choose: 'Choose…',
  takeBack: 'Use the usual one',
  overridden: (variable: string) => `${variable} is set in the environment and overrides this setting.`,
  restart: {
    title: 'Restart the engine to use the new settings',
    text: 'It still runs with the old ones.',
    button: 'Restart engine',
    busy: 'Stop what is being measured first.',
    restarting: 'The engine is restarting.',
  },
  ndiPath: {
    label: 'Runtime',
    help: 'The libndi file. If none is chosen, Whiteline searches NDI_RUNTIME_DIR_V6, its own folder and the system’s library folders.',
    usual: 'Found by search',
  },
  inUse: (version: string, path: string) => `In use: ${version}, ${path}`,
  notInUse: 'In use: none, NDI was not found',
  discoveryServers: {
    label: 'Discovery servers',
    help: 'NDI asks these servers instead of mDNS. It does not find senders that are not registered there. This machine’s other NDI settings stay in force.',
    hint: 'none: senders are found by mDNS',
  },
  searchHosts: {
    label: 'Extra addresses',
    help: 'Machines to ask for their senders directly because mDNS does not reach them: other networks, VLANs, VPNs.',
    hint: 'none',
  },
  ndiGroups: {
    label: 'NDI groups',
    help: 'Whiteline sends in these groups and searches them for senders. Receivers must be in one of them too.',
    hint: 'none: public, NDI’s own',
  },
  networkInterface: {
    label: 'Network card',
    help: 'NDI sends and receives through this card only. Streams within this machine use no card.',
    all: 'All network cards',
    absent: (name: string) => `${name} · not found`,
    absentHelp: 'This card has no address now. From its next start NDI uses all cards.',
  },
  listHelp: 'Separate several with commas. Enter saves.',
  kept: 'Saved',
  thresholds: {
    label: 'Thresholds',
    help: 'Runs are judged by this profile unless they name another. A plan names its own.',
    options: { study: 'Study', flawless: 'Flawless', file: 'Own file…' },
    meanings: {
      study: 'No lost frame is PASS; at most one in any 2 s is WARN.',
      flawless: 'Any lost frame is FAIL.',
    },
  },
  runsFolder: {
    label: 'Folder of the runs',
    help: 'Each run is a folder in it, with everything that was measured.',
  },
  keepDeletedDays: {
    label: 'Deleted runs',
    help: 'How long you can restore them before they are erased.',
    options: {
      ...{ 7: '7 days', 30: '30 days', 90: '90 days', 365: '1 year' },
      never: 'No limit',
    } satisfies Record<(typeof keepDeletedDays)[number] | 'never', string>,
  },
  reportProject: {
    label: 'Project',
    help: 'At the head of each report. Without a name it is left out.',
    hint: 'none',
  },
  reportClient: { label: 'Client', help: 'Whom reports are for.', hint: 'none' },
  reportOperator: { label: 'Operator', help: 'Who tests.', hint: 'none' },
  reportLogo: {
    label: 'Logo',
    help: 'At the head of each report: a PNG, JPEG or WebP picture of at most 1 MiB.',
    usual: 'none',
  },
  reportPaper: {
    label: 'Paper',
    help: 'For reports that are printed or written as PDF.',
    options: { a4: 'A4', letter: 'Letter' } satisfies Record<Settings['reportPaper'], string>,
  },
  theme: {
    label: 'Theme',
    help: 'Dark suits a dark room. T switches it on any screen.',
    options: { dark: 'Dark', light: 'Light' } satisfies Record<Settings['theme'], string>,
  },
  nmosNode: {
    label: 'Console as a node',
    help: 'NMOS controllers then find this console’s streams, and can make the console follow, change and stop streams of other machines. NDI in NMOS (BCP-007-01) is a draft and may still change.',
    options: { off: 'Off', on: 'On' },
    now: 'Now',
    restart:
      'The engine still uses the old settings. Restart the engine, at the top of this screen, to use these.',
  },
  nmosRegistry: {
    label: 'Registry',
    help: 'URL of the registry, for example http://192.0.2.9:8010. Without a URL, the console finds a registry by multicast DNS in the network of the address below.',
    hint: 'found by multicast DNS',
  },
  nmosHost: {
    label: 'Address',
    help: 'Address of this machine at which controllers reach the console. Only controllers on this machine reach 127.0.0.1. Anyone who reaches the address can change the streams that the console follows.',
    hint: '127.0.0.1',
  },
  nmosPort: {
    label: 'Port',
    help: '0 picks a free port. The node then has new ids after each start, and controllers see a new node.',
    hint: '0',
  },
  nmosReceivers: {
    label: 'Receivers',
    help: 'How many streams controllers can make the console follow at once.',
    hint: '4',
  },
  enterKeeps: 'Enter saves.',
  networkUnit: {
    label: 'Network load in',
    help: 'In the status bar and the chart. Rows, reports and bitrates are always in Mb/s.',
  },
  windowScalePercent: {
    label: 'Size of text and figures',
    help: 'They also grow with the window. Ctrl + and Ctrl − change the size, Ctrl 0 sets 100 %.',
    option: (percent: number) => `${percent} %`,
  },
} as const;
