import { count, type Metric } from '../../facts/metrics/metric';

const controller = 'the controller, monotonic clock';
const load = 'load samples: /proc/PID/stat, /proc/PID/statm';
const words = { unit: '', digits: 0, direction: 'none', shape: 'words' } as const;
const id = (name: string): string => `nmos.${name}`;

function figure(
  name: string,
  heading: string,
  unit: string,
  digits: number,
  formula: string,
  description: string,
  source = controller,
): Metric {
  return { id: id(name), heading, unit, digits, direction: 'lower', formula, description, source };
}

function answered(name: string, heading: string, formula: string): Metric {
  return figure(
    `crosspoint.${name}`,
    `Crosspoint ${heading}`,
    'ms',
    1,
    `${formula} of the time from the first request for a crosspoint (transport file included) to its answer; bulk: the time of its bulk request`,
    'How fast the devices make a crosspoint.',
  );
}

/** Figures of the rows of a controller: its matrix of senders and receivers, and crosspoints that it changes. */
export const crosspointMetrics: readonly Metric[] = [
  {
    ...{ id: id('by'), heading: 'Way', ...words, formula: 'as set for the row', source: 'parameters' },
    description: 'How the controller reads the registry, or connects receivers.',
  },
  count(
    id('matrix.senders'),
    'Senders',
    'none',
    'senders that the controller has read in the end, other programs’ included',
    'One side of the matrix.',
    'the controller',
  ),
  count(
    id('matrix.receivers'),
    'Receivers',
    'none',
    'receivers that the controller has read in the end, other programs’ included',
    'The other side of the matrix.',
    'the controller',
  ),
  count(
    id('matrix.messages'),
    'Pages or messages',
    'none',
    'answers of the Query API, or messages of subscriptions',
    'In how many parts the controller received the matrix.',
    'the controller',
  ),
  figure(
    'matrix.megabytes',
    'Read',
    'MB',
    2,
    'size of the bodies of these pages or messages',
    'Data that the controller received for the matrix.',
    'the controller',
  ),
  count(
    id('crosspoints'),
    'Crosspoints',
    'none',
    'receivers to connect to another sender, with their resources in the registry',
    'Requested changes.',
    'the controller',
  ),
  count(
    id('crosspointsFailed'),
    'Failed',
    'lower',
    'of these, those without an answer 200 or 202 as requested, or with another address or file in the registry',
    'Failed changes.',
    'the controller',
  ),
  answered('p50Ms', 'p50', '50th percentile'),
  answered('p99Ms', 'p99', '99th percentile'),
  answered('maxMs', 'max', 'max'),
  figure(
    'shownSeconds',
    'Shown after',
    's',
    3,
    'from the first request until the Query API shows each changed receiver with its new sender',
    'How long until every controller can see the changes.',
  ),
  figure(
    'controllerCpuPercent',
    'Controller CPU',
    '%',
    1,
    'mean of 1 s means, all cores = 100 %',
    'CPU that the controller uses.',
    load,
  ),
];
