import type { ChosenRegistry, NmosApi, NmosKind, Patch } from '../../app/protocol/nmos';
import type { NmosNodeView } from '../../app/protocol/nmos-node';
import { figure } from '../format';
import type { NmosPart } from '../nmos/nmos-store';

function counted(count: number, one: string): string {
  return `${figure(count)} ${one}${count === 1 ? '' : 's'}`;
}

/** Words of the NMOS screen. Findings, and answers of registries and devices, come from the engine. */
export const nmosTexts = {
  waiting: 'Asking the engine…',
  parts: {
    crosspoints: 'Crosspoints',
    resources: 'Resources',
    doctor: 'Doctor',
  } satisfies Record<NmosPart, string>,
  part: 'View',

  paused:
    'Paused while an experiment runs: reading a registry would disturb its measurement. The data shown is from before the experiment.',
  disturbs:
    'A measurement is running: reading a registry takes CPU time and network capacity from its streams. Leave this screen to stop reading.',

  registries: 'Registries',
  noRegistry: 'No registry is announced on the networks of this machine yet.',
  noRegistryRemedy: 'Type the address of a registry, or run the doctor.',
  address: 'Registry address',
  addressHint: 'http://192.0.2.7:8010',
  read: 'Read',
  readThis: (url: string) => `Read ${url}`,
  leave: 'Stop reading',
  ownNode: 'This console as a node (draft BCP-007-01)',
  ownStates: {
    off: 'off',
    starting: 'starting',
    searching: 'searching for a registry',
    registering: 'registering',
    registered: 'registered',
    problem: 'not registered',
  } satisfies Record<NmosNodeView['is'], string>,
  registeredAt: (registry: string, version: string) => `at ${registry} as ${version}`,
  answers: { asked: 'Waiting', unasked: 'HTTPS', there: 'Answers', silent: 'Does not answer' },
  priority: (priority: number) => `priority ${priority}`,
  apis: {
    registration: 'Registration',
    query: 'Query',
    system: 'System',
  } satisfies Record<NmosApi, string>,
  noQuery: 'This registry has no Query API: Whiteline cannot read it.',

  states: {
    reading: 'Reading',
    live: 'Live',
    unread: 'Not read',
    lost: 'Lost',
    paused: 'Paused',
  } satisfies Record<ChosenRegistry['state'], string>,
  synced: (seconds: string) => `complete in ${seconds} s`,
  version: (version: string) => `Query API ${version}`,
  leftOut: (count: string, first: string) => `Invalid entries in the registry: ${count}. The first: ${first}`,
  lostText: 'The data shown may be out of date. Whiteline tries again.',
  unreadText: 'Whiteline tries again.',
  counts: {
    node: (count: number) => counted(count, 'node'),
    device: (count: number) => counted(count, 'device'),
    sender: (count: number) => counted(count, 'sender'),
    receiver: (count: number) => counted(count, 'receiver'),
  } satisfies Record<NmosKind, (count: number) => string>,

  kinds: {
    node: 'Nodes',
    device: 'Devices',
    sender: 'Senders',
    receiver: 'Receivers',
  } satisfies Record<NmosKind, string>,
  kind: 'Kind of resource',
  search: 'Search by label or id',
  filterReceivers: 'Receivers (rows)',
  filterSenders: 'Senders (columns)',
  filterHint: 'Label or id',
  shown: (shown: string, all: string) => `${shown} of ${all}`,
  noneMatches: 'No label or id contains this text.',
  noneHeld: (senders: number, receivers: number) =>
    `The registry holds ${counted(senders, 'sender')} and ${counted(receivers, 'receiver')}.`,
  holdsNone: 'The registry holds no resources of this kind.',
  notRead: 'The registry has not been read yet.',
  noCrosspoint: 'No crosspoints',
  chooseFirst: 'No registry selected',
  chooseFirstText: 'Choose a registry from the list, or type the address of one.',
  connectedTo: 'Connected to',
  unknown: 'not in this registry',

  matrix: 'Crosspoints: receivers by senders',
  matrixHelp:
    'Arrow keys, Page Up, Page Down, Home and End move. Enter or a click connects or disconnects, after you confirm.',
  offMark: '(off)',
  noCell: 'Point at a crosspoint, or use the arrow keys, to see the full names.',
  cell: (receiver: string, sender: string) => `${receiver} from ${sender}`,
  cells: {
    connected: 'connected',
    off: 'connected; the sender is off',
    inactive: 'connected; the receiver is off',
    none: 'not connected',
    elsewhere: 'not connected; the receiver receives from a source that the registry does not list',
    pending: 'connecting',
    leaving: 'disconnecting',
    failed: 'failed',
  },
  legend: {
    connected: 'Connected',
    off: 'Connected, sender off',
    inactive: 'Connected, receiver off',
    elsewhere: 'Receives from an unlisted source',
    pending: 'Pending',
    failed: 'Failed',
  },

  connect: (receiver: string, sender: string) => `Connect ${receiver} to ${sender}?`,
  disconnect: (receiver: string, sender: string) => `Disconnect ${receiver} from ${sender}?`,
  changes: 'The equipment switches at once.',
  leaves: (sender: string) => `The receiver disconnects from ${sender}.`,
  otherTransport: (sender: string, receiver: string) =>
    `The sender uses ${sender}, the receiver ${receiver}: the device will probably refuse the connection.`,
  doConnect: 'Connect',
  doDisconnect: 'Disconnect',
  cancel: 'Cancel',
  patchStates: {
    pending: 'Pending',
    accepted: 'Accepted, not active yet',
    done: 'Done',
    failed: 'Failed',
  } satisfies Record<Patch['state'], string>,
  connected: (receiver: string, sender: string) => `${receiver} to ${sender}`,
  disconnected: (receiver: string) => `${receiver} disconnected`,
  disconnecting: (receiver: string) => `Disconnect ${receiver}`,
  connectedToOff: 'connected; the sender is off',
  senderOff: 'The sender is off: the receiver gets no media until the sender is on.',

  doctor: 'Why nodes cannot register',
  doctorText:
    'The doctor listens for announcements on all networks of this machine for three seconds, and asks each API that it finds for its versions. It registers nothing and changes nothing.',
  dnsServer: 'DNS server',
  dnsServerHint: '192.0.2.53',
  domain: 'Domain',
  domainHint: 'studio.example.org',
  examine: 'Examine',
  examineAgain: 'Examine again',
  examining: 'Listening and asking…',
  examined: (time: string) => `Examined ${time}`,
  healthy: 'No problems found',
  levels: { problem: 'Problem', warning: 'Warning', ok: 'OK' },
  answering: (name: string, url: string, versions: string, ways: string) =>
    `${name} API at ${url}, ${versions}, found by ${ways}`,
  heartbeat: (seconds: number) => `heartbeat every ${seconds} s`,
  and: ' and ',
} as const;
