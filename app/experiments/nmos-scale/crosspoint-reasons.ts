import type { Of, ReasonWords } from '../../facts/alike-facts';
import { countText } from '../../facts/count-words';

export const crosspointReasons = {
  'matrix-filled': (of: Of<{ senders: number; receivers: number; seconds: number | null }>) =>
    `${of.number('senders')} × ${of.number('receivers')} filled in ${of.number('seconds', secondsText)}`,
  'crosspoints-changed': (
    of: Of<{ crosspoints: number; seconds: number | null; shownSeconds: number | null }>,
  ) =>
    `${countText(of.numbers('crosspoints'), 'crosspoint')} changed in ${of.number('seconds', secondsText)}; ` +
    `the Query API showed all of them after ${of.number('shownSeconds', secondsText)}`,

  'subscriptions-lost': (of: Of<{ losses: number }>) =>
    `the registry ended ${countText(of.numbers('losses'), 'subscription')} while the matrix was filled`,
  'resources-unusable': (of: Of<{ leftOut: number; first: string | null }>) =>
    `${countText(of.numbers('leftOut'), 'resource')} of the registry cannot be used; the first: ${of.word('first')}`,
  'matrix-short': (of: Of<{ ownSenders: number; ownReceivers: number; expected: number }>) =>
    `the controller found ${of.number('ownSenders')} senders and ${of.number('ownReceivers')} receivers of this run; ` +
    `the run registered ${of.number('expected')} of each`,
  'crosspoints-failed': (of: Of<{ failed: number; crosspoints: number; first: string }>) =>
    `${of.number('failed')} of ${countText(of.numbers('crosspoints'), 'crosspoint')} failed; the first: ${of.word('first')}`,
  'crosspoints-absent': (of: Of<{ crosspoints: number; wanted: number }>) =>
    `the registry holds the resources for only ${of.number('crosspoints')} of ${countText(of.numbers('wanted'), 'crosspoint')}`,
  'crosspoints-not-shown': (of: Of<{ crosspoints: number; limitSeconds: number }>) =>
    `the Query API did not show all ${countText(of.numbers('crosspoints'), 'crosspoint')} within ${of.number('limitSeconds', String)} s`,
  'controller-failed': (of: Of<{ why: string }>) =>
    `the controller could not read the registry: ${of.word('why')}`,
} satisfies ReasonWords;

function secondsText(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} s`;
}
