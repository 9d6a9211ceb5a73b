import { count, type Metric } from '../../facts/metrics/metric';

const percent = { unit: '%', digits: 2, direction: 'lower' as const };
const processTime = '/proc/PID/task/TID/schedstat';
const slope = (y: string): string =>
  `least-squares slope of ${y} over the number of receivers, over the rows of this arm so far that lost and missed no frame and are not INVALID`;
const added =
  'What one more receiver costs in the arm of the row: on the same sender, or with a sender of its own';

const ofSeveral = ' If several machines receive, the highest of their figures.';

export const receiverFanOutMetrics: readonly Metric[] = [
  {
    ...{ id: 'fanOut.arm', heading: 'Added', unit: '', digits: 0, direction: 'none', shape: 'words' },
    formula: 'as set for the row',
    description: 'What the rows of an arm add: receivers to one sender, or senders with one receiver each.',
    source: 'what the experiment opened',
  },
  count(
    'fanOut.senders',
    'Senders',
    'none',
    'senders open in the row',
    'Senders: one while rows add receivers; as many as receivers while rows add senders.',
    'what the experiment opened',
  ),
  count(
    'fanOut.receivers',
    'Receivers',
    'none',
    'receivers open in the row',
    'Receivers: all on one sender, or one on each sender.',
    'what the experiment opened',
  ),
  {
    ...{ id: 'fanOut.sendingCpuPercent', heading: 'Sending CPU', ...percent },
    formula: 'sum of sender.cpuParts: mean of 1 s means, all cores = 100 %',
    description: 'Mean CPU load of our sending process, the transport’s threads included.',
    source: processTime,
  },
  {
    ...{ id: 'fanOut.receivingCpuPercent', heading: 'Receiving CPU', ...percent },
    formula: 'sum of receiver.cpuParts: mean of 1 s means, all cores = 100 %',
    description: `Mean CPU load of our receiving process, the transport’s threads included.${ofSeveral}`,
    source: processTime,
  },
  {
    ...{ id: 'fanOut.addedSendingCpuPercent', heading: 'Sending CPU per added', ...percent },
    formula: slope('fanOut.sendingCpuPercent'),
    description: `${added}: CPU of the sending process.`,
    source: processTime,
  },
  {
    ...{ id: 'fanOut.addedReceivingCpuPercent', heading: 'Receiving CPU per added', ...percent },
    formula: slope('fanOut.receivingCpuPercent'),
    description: `${added}: CPU of the receiving process. If several machines receive, it is computed for each from its own receivers, and the highest is shown.`,
    source: processTime,
  },
  {
    ...{ id: 'fanOut.addedMbps', heading: 'Network per added', unit: 'Mb/s', digits: 1 },
    direction: 'lower',
    formula: slope('bitrateMbps'),
    description: `${added}: network traffic of our own sockets.`,
    source: 'TCP_INFO of each socket of our stream processes, and nf_tables for their UDP ports',
  },
];
