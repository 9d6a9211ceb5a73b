import type { ChosenRegistry, NmosApi, NmosKind, Patch } from '../../app/protocol/nmos';
import type { NmosNodeView } from '../../app/protocol/nmos-node';
import { figure } from '../format';
import type { NmosPart } from '../nmos/nmos-store';

function counted(count: number, one: string): string {
  return `${figure(count)} ${one}${count === 1 ? '' : 's'}`;
}

/** What the NMOS screen says; findings and what a registry or a device answered come from the engine. */
export const nmosTexts = {
  waiting: 'Asking the engine…',
  parts: {
    crosspoints: 'Crosspoints',
    resources: 'Resources',
    doctor: 'Doctor',
  } satisfies Record<NmosPart, string>,
  part: 'What is shown',

  paused:
    'Paused: an experiment runs, and reading a registry would disturb what it measures. What is shown is from before.',
  disturbs:
    'Streams are measured: reading a registry takes processor time and network from them. Leave this screen to stop it.',

  registries: 'Registries',
  noRegistry: 'No registry is announced on the networks of this machine yet.',
  noRegistryRemedy: 'Type the address of one, or see what the doctor finds.',
  address: 'Address of a registry',
  addressHint: 'http://192.0.2.7:8010',
  read: 'Read',
  readThis: (url: string) => `Read ${url}`,
  leave: 'Stop reading',
  ownNode: 'This console as a node (draft BCP-007-01)',
  ownStates: {
    off: 'off',
    starting: 'starting',
    searching: 'looks for a registry',
    registering: 'is registering',
    registered: 'registered',
    problem: 'not registered',
  } satisfies Record<NmosNodeView['is'], string>,
  registeredAt: (registry: string, version: string) => `at ${registry} as ${version}`,
  answers: { asked: 'Asked', unasked: 'HTTPS', there: 'Answers', silent: 'Does not answer' },
  priority: (priority: number) => `priority ${priority}`,
  apis: {
    registration: 'Registration',
    query: 'Query',
    system: 'System',
  } satisfies Record<NmosApi, string>,
  noQuery: 'No Query API is here: it cannot be read.',

  states: {
    reading: 'Reading',
    live: 'Live',
    unread: 'Not read',
    lost: 'Lost',
    paused: 'Paused',
  } satisfies Record<ChosenRegistry['state'], string>,
  synced: (seconds: string) => `complete in ${seconds} s`,
  version: (version: string) => `Query API ${version}`,
  leftOut: (count: string, first: string) => `${count} resources cannot be used: ${first}`,
  lostText: 'What is shown may be old. It is tried again.',
  unreadText: 'It is tried again.',
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
  filterReceivers: 'Receivers, the rows',
  filterSenders: 'Senders, the columns',
  filterHint: 'Label or id',
  shown: (shown: string, all: string) => `${shown} of ${all}`,
  noneMatches: 'None has this in its label or id.',
  noneHeld: (senders: number, receivers: number) =>
    `The registry holds ${counted(senders, 'sender')} and ${counted(receivers, 'receiver')}.`,
  holdsNone: 'The registry holds none.',
  notRead: 'The registry is not read yet.',
  noCrosspoint: 'No crosspoint',
  chooseFirst: 'No registry is read',
  chooseFirstText: 'Choose one of those that were found, or type the address of one.',
  connectedTo: 'Connected to',
  unknown: 'not in this registry',

  matrix: 'Crosspoints: receivers by senders',
  matrixHelp:
    'Arrows, Page Up, Page Down, Home and End move; Enter asks to connect or to disconnect. A click does the same.',
  offMark: '(off)',
  noCell: 'Move over the crosspoints, or use the arrows, to see names in full.',
  cell: (receiver: string, sender: string) => `${receiver} from ${sender}`,
  cells: {
    connected: 'connected',
    off: 'connected; the sender is off',
    inactive: 'connected, and switched off',
    none: 'not connected',
    elsewhere: 'not connected; the receiver takes something that the registry does not name',
    pending: 'being connected',
    leaving: 'being disconnected',
    failed: 'failed',
  },
  legend: {
    connected: 'Connected',
    off: 'Connected, sender off',
    inactive: 'Connected, switched off',
    elsewhere: 'Takes what the registry does not name',
    pending: 'Asked for',
    failed: 'Failed',
  },

  connect: (receiver: string, sender: string) => `Connect ${receiver} to ${sender}?`,
  disconnect: (receiver: string, sender: string) => `Disconnect ${receiver} from ${sender}?`,
  changes: 'This changes the equipment at once.',
  leaves: (sender: string) => `It leaves ${sender}.`,
  otherTransport: (sender: string, receiver: string) =>
    `The sender has ${sender}, the receiver ${receiver}: the device will probably refuse.`,
  doConnect: 'Connect',
  doDisconnect: 'Disconnect',
  cancel: 'Cancel',
  patchStates: {
    pending: 'Asked',
    accepted: 'Accepted, not active yet',
    done: 'Done',
    failed: 'Failed',
  } satisfies Record<Patch['state'], string>,
  connected: (receiver: string, sender: string) => `${receiver} to ${sender}`,
  disconnected: (receiver: string) => `${receiver} disconnected`,
  disconnecting: (receiver: string) => `Disconnect ${receiver}`,
  connectedToOff: 'connected; the sender is off',
  senderOff: 'The sender is off: nothing comes until it is switched on.',

  doctor: 'What keeps nodes from a registry',
  doctorText:
    'Announcements are listened for on all networks of this machine for three seconds, and each API that is found is asked for its versions. Nothing is registered or changed.',
  dnsServer: 'DNS server',
  dnsServerHint: '192.0.2.53',
  domain: 'Domain',
  domainHint: 'studio.example.org',
  examine: 'Examine',
  examineAgain: 'Examine again',
  examining: 'Listening and asking…',
  examined: (time: string) => `Examined ${time}`,
  healthy: 'Nothing is wrong',
  levels: { problem: 'Problem', warning: 'Warning', ok: 'OK' },
  answering: (name: string, url: string, versions: string, ways: string) =>
    `${name} API at ${url}, ${versions}, found by ${ways}`,
  heartbeat: (seconds: number) => `heartbeat each ${seconds} s`,
  and: ' and ',
} as const;
