import { count, type Metric } from '../../metrics/metric';

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
    `${formula} of the time from the first request for a crosspoint to its answer, its transport file among them; of bulk, each has the time of its request`,
    'How fast the devices take a crosspoint.',
  );
}

/** Figures of the rows of a controller: its matrix of senders and receivers, and crosspoints that it changes. */
export const crosspointMetrics: readonly Metric[] = [
  {
    ...{ id: id('by'), heading: 'Way', ...words, formula: 'as set for the row', source: 'parameters' },
    description: 'By what the controller reads the registry, or how it connects receivers.',
  },
  count(
    id('matrix.senders'),
    'Senders',
    'none',
    'senders that it has in the end, those of others among them',
    'One side of the matrix.',
    'the controller',
  ),
  count(
    id('matrix.receivers'),
    'Receivers',
    'none',
    'receivers that it has in the end, those of others among them',
    'The other side of the matrix.',
    'the controller',
  ),
  count(
    id('matrix.messages'),
    'Pages or messages',
    'none',
    'answers of the Query API, or messages of subscriptions',
    'In how many parts the matrix came.',
    'the controller',
  ),
  figure(
    'matrix.megabytes',
    'Read',
    'MB',
    2,
    'bodies of these pages or messages',
    'What the matrix took from the network.',
    'the controller',
  ),
  count(
    id('crosspoints'),
    'Crosspoints',
    'none',
    'receivers that the controller sent to another sender',
    'What was to be changed.',
    'the controller',
  ),
  count(
    id('crosspointsFailed'),
    'Failed',
    'lower',
    'of these, those that were not answered with 200 or 202',
    'What was not changed.',
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
    'from the first request until the Query API shows each receiver that was changed with its sender',
    'How long it takes until all controllers can see the change.',
  ),
  figure(
    'controllerCpuPercent',
    'Controller CPU',
    '%',
    1,
    'mean of 1 s means, all cores = 100 %',
    'What the controller costs.',
    load,
  ),
];
