import { type Of, oneDigit, type ReasonWords } from '../../facts/alike-facts';
import { countText } from '../../facts/count-words';
import { atMachine, machineText } from '../../facts/machine-words';
import { crosspointReasons } from './crosspoint-reasons';

/** One of the two: the longest stall, or how much of the time was spent in stalls. */
type StandstillData = {
  standstillMs?: number;
  standstillPercent?: number;
  limitPercent?: number;
  machine?: string;
};

export const nmosScaleReasons = {
  ...crosspointReasons,
  'nodes-held': (
    of: Of<{ nodes: number; resourcesPerNode: number; lastSeconds: number | null; heartbeats: number }>,
  ) =>
    `${countText(of.numbers('nodes'), 'node')} with ${of.number('resourcesPerNode')} resources each registered in ` +
    `${of.number('lastSeconds', secondsText)}; ${heartbeatsText(of)}`,
  'nodes-back': (of: Of<{ nodes: number; lastSeconds: number | null; forgotten: number }>) =>
    `${countText(of.numbers('nodes'), 'node')} back within ${of.number('lastSeconds', secondsText)}, ` +
    `${of.number('forgotten')} of them unknown to the registry (404) and registered again`,
  'nodes-moved': (of: Of<{ nodes: number; lastSeconds: number | null }>) =>
    `${countText(of.numbers('nodes'), 'node')} at the other registry within ${of.number('lastSeconds', secondsText)}, no resources lost`,

  'nodes-unregistered': (of: Of<{ registered: number; nodes: number; causes: string }>) =>
    `${of.number('registered')} of ${countText(of.numbers('nodes'), 'node')} registered${causesText(of.word('causes'))}`,
  'nodes-late': (of: Of<{ nodes: number; waitSeconds: number }>) =>
    `the last of ${countText(of.numbers('nodes'), 'node')} registered after the time limit of ${of.number('waitSeconds', String)} s`,
  'nodes-refused': (of: Of<{ refused: number }>) =>
    `the registry refused ${countText(of.numbers('refused'), 'node')}`,
  'answers-unexpected': (of: Of<{ count: number; kind: string; statuses: string }>) =>
    `${countText(of.numbers('count'), of.word('kind'))} not answered as IS-04 requires (${of.word('statuses')})${removedText(of)}`,
  'nodes-staying': (of: Of<{ staying: number }>) =>
    `${countText(of.numbers('staying'), 'node')} could not be removed at the end, and stay in the registry until they expire`,
  'heartbeats-missed': (
    of: Of<{ missed: number; unanswered: number; unknown: number; late: number; refused: number }>,
  ) => `${countText(of.numbers('missed'), 'heartbeat')} missed (${missesText(of)})`,
  'nodes-not-back': (of: Of<{ back: number; nodes: number; waitSeconds: number }>) =>
    `${of.number('back')} of ${countText(of.numbers('nodes'), 'node')} back within ${of.number('waitSeconds', String)} s`,
  'resources-lost': (of: Of<{ there: number; expected: number }>) =>
    `the registry holds only ${of.number('there')} of ${countText(of.numbers('expected'), 'registered resource')}`,
  'resources-forgotten': (
    of: Of<{
      fewest: number;
      expected: number;
      forgotten: number;
      noticeSeconds?: number;
      expirySeconds?: number;
    }>,
  ) =>
    `the remaining registry removed nodes of the killed one: its lowest count was ${of.number('fewest')} of ${countText(of.numbers('expected'), 'resource')}, ` +
    `and it answered ${countText(of.numbers('forgotten'), 'heartbeat')} with 404${tooShortText(of)}`,
  'nodes-removed-early': (
    of: Of<{ forgotten: number; seconds: number; heartbeatSeconds: number; expirySeconds: number }>,
  ) =>
    `the registry answered ${countText(of.numbers('forgotten'), 'heartbeat')} with 404 after a silence of ${of.number('seconds', String)} s: with heartbeats each ` +
    `${of.number('heartbeatSeconds', String)} s it keeps nodes for ${of.number('expirySeconds', String)} s`,
  'resources-left-over': (of: Of<{ leftOver: number }>) =>
    `the registry holds ${countText(of.numbers('leftOver'), 'resource')} with the tag of this run that no node of the run has`,
  'registry-uncounted': (of: Of<{ why: string }>) =>
    `the resources in the registry could not be counted: ${of.word('why')}`,

  'busy-before': (of: Of<{ percent: number; limitPercent: number }>) =>
    `the machine was busy before the run: other programs took ${of.number('percent')} % of its CPU (limit ${of.number('limitPercent', String)} %)`,

  // What makes a row INVALID.
  'no-node-to-return': () => 'no node was registered, so none could come back',
  'no-node-registered': () => 'no node was registered',
  'load-stood-still': (of: Of<StandstillData>) =>
    `the simulated nodes${atMachine(of)} stalled ${standstillText(of)}: use fewer nodes, or end other programs on ${machineText(of, 'this machine')}`,
  'controller-stood-still': (of: Of<StandstillData>) =>
    `the controller stalled ${standstillText(of)}: use fewer nodes, or end other programs on ${machineText(of, 'this machine')}`,
  'scale-failed': (of: Of<{ why: string }>) => `a process of the run failed: ${of.word('why')}`,
} satisfies ReasonWords;

function secondsText(value: number): string {
  return `${value < 10 ? value.toFixed(2) : oneDigit(value)} s`;
}

function standstillText(of: Of<StandstillData>): string {
  return of.count('standstillMs') > 0
    ? `for ${of.number('standstillMs', (ms) => secondsText(ms / 1000))}`
    : `for ${of.number('standstillPercent')} % of the time, in stalls above 0.1 s (limit: ${of.number('limitPercent', String)} %)`;
}

/** For an expiry so short that no registry could keep all nodes. */
function tooShortText(of: Of<{ noticeSeconds?: number; expirySeconds?: number }>): string {
  return of.count('noticeSeconds') === 0
    ? ''
    : `; nodes can be silent for ${of.number('noticeSeconds', String)} s before they notice the end of a registry, and the expiry is ${of.number('expirySeconds', String)} s`;
}

function causesText(causes: string): string {
  return causes === '' || causes === 'unknown' ? '' : ` (${causes})`;
}

function removedText(of: Of<{ kind: string; statuses: string }>): string {
  return of.word('kind') === 'removal' && /\b404\b/.test(of.word('statuses'))
    ? ': the registry lost resources (404), or another client removed them'
    : '';
}

function heartbeatsText(of: Of<{ heartbeats: number }>): string {
  return of.count('heartbeats') === 0
    ? 'no heartbeat was due'
    : `${countText(of.numbers('heartbeats'), 'heartbeat')}, none missed`;
}

function missesText(of: Of<{ unanswered: number; unknown: number; late: number; refused: number }>): string {
  const kinds = [
    ['unanswered', 'no answer'],
    ['unknown', 'unknown to the registry (404)'],
    ['late', 'later than the expiry'],
    ['refused', 'other answer'],
  ] as const;
  return kinds
    .filter(([name]) => of.count(name) > 0)
    .map(([name, words]) => `${words}: ${of.number(name)}`)
    .join(', ');
}
