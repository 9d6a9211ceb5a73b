import type { Metric } from '../../facts/metrics/metric';

function reported(id: string, heading: string, formula: string, description: string, source: string): Metric {
  return {
    id: `preflight.${id}`,
    heading,
    unit: '',
    digits: 0,
    direction: 'none',
    shape: 'words',
    formula,
    description,
    source,
  };
}

const source = 'Whiteline’s own checks of this machine and its network';

/** What `preflight` says of each thing that it checks. */
export const preflightMetrics: readonly Metric[] = [
  reported(
    'state',
    'State',
    'ok, warning, problem or unknown, by the rules of docs/experiments/preflight.md',
    'Whether what was found is as NDI needs it; unknown where it could not be found out.',
    source,
  ),
  reported(
    'found',
    'Found',
    'a sentence; its figures stand in the row’s details',
    'What was found, or why it could not be found out.',
    source,
  ),
  reported('advice', 'Advice', 'a sentence, empty where all is well', 'What to do about it.', source),
  reported(
    'command',
    'Command',
    'a command line for this machine, empty where none helps',
    'What would put it right. It is never run by Whiteline.',
    source,
  ),
];
