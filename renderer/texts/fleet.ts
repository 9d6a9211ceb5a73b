import type { FleetView, MachineState } from '../../app/protocol/fleet/fleet-view';
import type { MachineFilter } from '../fleet/machine-filter';
import { figure } from '../format';

function counted(count: number, one: string): string {
  return `${figure(count)} ${one}${count === 1 ? '' : 's'}`;
}

/** Words of the screen Fleet. Problems and reasons come from the engine. */
export const fleetTexts = {
  waiting: 'Asking the engine…',
  server: 'Server',
  servers: {
    none: 'No fleet is set up.',
    stopped: 'The server is not running.',
    lost: 'The connection to the server was lost. Reconnecting…',
    connected: 'Connected.',
  } satisfies Record<FleetView['server'], string>,
  startHelp: 'Type this in a terminal on this machine, and leave it open',
  whatItIs:
    'A fleet is several machines that measure together: an agent on each of them sends or receives streams for this console.',
  counts: (connected: number, machines: number) =>
    `${figure(connected)} of ${counted(machines, 'machine')} connected`,

  roles: 'Next streams',
  role: { sendOn: 'Send from', receiveOn: 'Receive on' },
  here: 'this machine',
  dropHint: 'Drag a machine here, or choose it in the list and use the buttons beside its name.',
  remove: (name: string) => `Take ${name} out`,
  toStreams: 'Go to Streams',

  invite: 'Add a machine',
  inviteName: 'Name',
  inviteHint: 'render-1',
  inviteAction: 'Save its join file…',
  inviteAgain: 'Replace its join file…',
  invited: (path: string) => `Copy ${path} to that machine. Then type there:`,
  acceptedLater: 'The server is not running: start it before the agent.',

  list: 'Machines',
  filter: 'Show',
  filters: { all: 'All', connected: 'Connected', problems: 'With problems' } satisfies Record<
    MachineFilter,
    string
  >,
  search: 'Search',
  shown: (shown: number, all: number) => `${figure(shown)} of ${figure(all)} machines`,
  columns: {
    name: 'Machine',
    state: 'State',
    cpu: 'CPU',
    gpu: 'GPU',
    received: 'Receives',
    sent: 'Sends',
    streams: 'Streams',
    preflight: 'Preflight',
    console: 'Used by',
  },
  preflight: {
    here: 'This machine',
    check: 'Preflight…',
    checkShown: 'Preflight of all shown…',
    tooMany: (most: number) =>
      `At most ${figure(most)} connected machines can be checked at a time: show fewer`,
    never: 'No preflight yet.',
    none: 'none yet',
    allWell: (checks: number) => `${counted(checks, 'check')}, all OK.`,
    stopped: (checks: number) => `Stopped after ${counted(checks, 'check')}.`,
    all: 'All lines',
  },
  states: {
    connected: 'Connected',
    silent: 'Not reachable',
    ended: 'Agent ended',
    absent: 'Never seen',
  } satisfies Record<MachineState, string>,
  problem: 'Problem',
  silentFor: (seconds: number) => `Its agent was last heard ${figure(seconds)} s ago.`,
  startIt: 'If it has ended, start it on that machine:',
  startFirst: 'Start a fleet first: the command is on the left.',
  noneInvited: 'No machine is invited yet. Add one on the left.',
  noneMatches: 'No machine matches.',

  chooseOne: 'Choose a machine to see its details.',
  sendFrom: 'Send from it',
  receiveOn: 'Receive on it',
  ended: 'Its agent has ended. To start it again on that machine:',
  absent: 'Its agent has not connected yet. To start it on that machine:',
  facts: {
    board: 'Board',
    cpu: 'CPU',
    gpu: 'GPU',
    memory: 'Memory',
    cards: 'Network cards',
    addresses: 'Addresses',
    system: 'System',
    ndi: 'NDI',
    version: 'Whiteline',
    clock: 'Clock',
    limits: 'Limits',
    running: 'Uptime',
  },
  cores: (model: string | null, cores: number) => [model, counted(cores, 'core')].filter(Boolean).join(', '),
  noneFound: 'none found',
  card: (name: string, state: string | null, speedMbps: number | null) =>
    [name, speedMbps === null ? state : `${figure(speedMbps)} Mb/s`].filter(Boolean).join(' '),
  notKnown: (reason: string | undefined) => `Not known${reason === undefined ? '' : `: ${reason}`}`,
  clock: (ms: number) => `± ${figure(ms, 2)} ms`,
  clockNotKnown: 'Not measured: no stream of this console runs there.',
  limits: (streams: number, format: string | null, minutes: number | null) =>
    [
      counted(streams, 'stream'),
      format && `up to ${format}`,
      minutes !== null && `for ${counted(Math.round(minutes), 'minute')}`,
    ]
      .filter(Boolean)
      .join(', '),
  hours: (seconds: number) =>
    `${figure(Math.floor(seconds / 3600))} h ${figure(Math.floor((seconds % 3600) / 60))} min`,
  charts: { cpu: 'CPU', gpu: 'GPU', network: 'Network' },
  received: 'receives',
  sent: 'sends',
  lastMinute: 'last minute',
  noFigure: 'No figure in the last minute',
  notMeasured: 'Not measured',
  notMeasuredFor: (reason: string) => `Not measured: ${reason}`,
};
