import { type AlikeFacts, oneDigit, type ReasonWords } from '../../alike-facts';
import { countText } from '../../count-words';

export const nmosScaleReasons = {
  'nodes-held': (of) =>
    `${countText(of.numbers('nodes'), 'node')} with ${of.number('resourcesPerNode')} resources each registered in ` +
    `${of.number('lastSeconds', secondsText)}; ${heartbeatsText(of)}`,
  'nodes-back': (of) =>
    `${countText(of.numbers('nodes'), 'node')} back within ${of.number('lastSeconds', secondsText)}, ` +
    `${of.number('forgotten')} of them forgotten meanwhile and registered again`,
  'nodes-moved': (of) =>
    `${countText(of.numbers('nodes'), 'node')} at the other registry within ${of.number('lastSeconds', secondsText)}, no resource lost`,

  'nodes-unregistered': (of) =>
    `${of.number('registered')} of ${countText(of.numbers('nodes'), 'node')} registered${causesText(of.word('causes'))}`,
  'nodes-late': (of) =>
    `the last of ${countText(of.numbers('nodes'), 'node')} came after the ${of.number('waitSeconds', String)} s of the wait`,
  'nodes-refused': (of) => `the registry refused ${countText(of.numbers('refused'), 'node')}`,
  'heartbeats-missed': (of) => `${countText(of.numbers('missed'), 'heartbeat')} missed (${missesText(of)})`,
  'nodes-not-back': (of) =>
    `${of.number('back')} of ${countText(of.numbers('nodes'), 'node')} back within ${of.number('waitSeconds', String)} s`,
  'resources-lost': (of) =>
    `the registry has ${of.number('there')} of ${countText(of.numbers('expected'), 'resource')} that it took`,
  'resources-forgotten': (of) =>
    `the registry that lived on forgot nodes of the other: it held ${of.number('fewest')} of ${countText(of.numbers('expected'), 'resource')} at the least, ` +
    `and answered ${countText(of.numbers('forgotten'), 'heartbeat')} with 404${tooShortText(of)}`,
  'resources-left-over': (of) =>
    `the registry has ${countText(of.numbers('leftOver'), 'resource')} with the tag of this run that its nodes do not have`,
  'registry-uncounted': (of) => `what the registry holds is not known: ${of.word('why')}`,

  'busy-before': (of) =>
    `the machine was busy before the run: other programs took ${of.number('percent')} % of its CPU (less than ${of.number('limitPercent', String)} % wanted)`,

  // What makes a row INVALID.
  'load-stood-still': (of) =>
    `the simulated nodes themselves stood still ${standstillText(of)}: use fewer nodes, or end what else keeps this machine busy`,
  'controller-stood-still': (of) =>
    `the controller itself stood still ${standstillText(of)}: use fewer nodes, or end what else keeps this machine busy`,
  'scale-failed': (of) => `a process of the run failed: ${of.word('why')}`,
} satisfies ReasonWords;

function secondsText(value: number): string {
  return `${value < 10 ? value.toFixed(2) : oneDigit(value)} s`;
}

function standstillText(of: AlikeFacts): string {
  return of.count('standstillMs') > 0
    ? `for ${of.number('standstillMs', (ms) => secondsText(ms / 1000))}`
    : `for ${of.number('standstillPercent')} % of the time, in pieces above 0.1 s (at most ${of.number('limitPercent', String)} % wanted)`;
}

/** Where no registry could have kept all nodes. */
function tooShortText(of: AlikeFacts): string {
  return of.count('noticeSeconds') === 0
    ? ''
    : `; nodes may be silent for ${of.number('noticeSeconds', String)} s until they notice the end of a registry, and the expiry is ${of.number('expirySeconds', String)} s`;
}

function causesText(causes: string): string {
  return causes === '' || causes === 'unknown' ? '' : ` (${causes})`;
}

function heartbeatsText(of: AlikeFacts): string {
  return of.count('heartbeats') === 0
    ? 'no heartbeat was due'
    : `${countText(of.numbers('heartbeats'), 'heartbeat')}, none missed`;
}

function missesText(of: AlikeFacts): string {
  const kinds = [
    ['unanswered', 'no answer'],
    ['unknown', 'unknown to the registry (404)'],
    ['late', 'later than the registry keeps a node'],
    ['refused', 'answered otherwise'],
  ] as const;
  return kinds
    .filter(([name]) => of.count(name) > 0)
    .map(([name, words]) => `${words}: ${of.number(name)}`)
    .join(', ');
}
