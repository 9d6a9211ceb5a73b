import type { Metric } from '../../facts/metrics/metric';
import { textOfFound } from './found-reasons';
import type { FoundText } from './shared-reasons';

function reported(id: string, heading: string, formula: string, description: string): Metric {
  return {
    id: `preflight.${id}`,
    heading,
    unit: '',
    digits: 0,
    direction: 'none',
    shape: 'words',
    formula,
    description,
    source: 'Whiteline’s own checks of this machine and its network',
  };
}

/** A part of what is said of the row's `found`. */
function worded(
  id: keyof FoundText,
  ...words: [heading: string, formula: string, description: string]
): Metric {
  return {
    ...reported(id, ...words),
    ofFound: (found, reasonText) => {
      const text = textOfFound(found, reasonText);
      return text && (text[id] ?? '');
    },
  };
}

/** What `preflight` says of each thing that it checks. */
export const preflightMetrics: readonly Metric[] = [
  reported(
    'state',
    'State',
    'ok, warning, problem or unknown, by the rules of docs/experiments/preflight.md',
    'Whether what was found is as NDI needs it; unknown where it could not be found out.',
  ),
  worded(
    'found',
    'Found',
    'a sentence, worded from the row’s `found`',
    'What was found, or why it could not be found out.',
  ),
  worded(
    'advice',
    'Advice',
    'a sentence, worded from the row’s `found`; empty where all is well',
    'What to do about it.',
  ),
  worded(
    'command',
    'Command',
    'a command line for this machine, from the row’s `found`; empty where none helps',
    'A command that would correct it. Whiteline never runs it.',
  ),
];
